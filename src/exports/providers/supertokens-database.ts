import { flagOf, objectOf, textOf } from './parts/fields.ts';
import type { SourceRow } from './provider.ts';
import type { Join, ProviderDatabase, DatabaseTable, DatabaseUser } from './database.ts';

const app = 'app_id';

/** A recipe's columns for `t.user_id`, a login method's own. */
function recipe(table: string, takes: Join['takes']): Join {
  return { table, column: 'user_id', with: 'user_id', both: app, takes };
}

/** The id under which an app knows a user, if it assigned one: the other tables then use that. */
const mapping: Join = {
  table: 'userid_mapping',
  column: 'supertokens_user_id',
  with: 'user_id',
  both: app,
  takes: { externalId: 'external_user_id' },
};

/** Rows stored under either id; the join before is `mapping`, at `place`. */
function underEither(
  table: string,
  columns: Readonly<Record<string, string>>,
  place: number,
): readonly Join[] {
  const named = (end: string) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name + end, column]));
  return [
    { table, column: 'user_id', with: 'user_id', both: app, asText: true, takes: named('') },
    { table, column: 'user_id', with: 'external_user_id', of: place, both: app, takes: named('Mapped') },
  ];
}

const ids = ['app_id_to_user_id'];
const primary = 'primary_or_recipe_user_id';

/** Rows of a whole user. */
function ofUser(name: string, joins: readonly Join[]): DatabaseTable {
  const same = ['user_id', primary] as const;
  return { name, tables: ids, id: 'user_id', columns: [], realm: app, same, isOptional: true, joins };
}

export const supertokensDatabase: ProviderDatabase = {
  engines: ['postgres'],
  versions: 'the tables of the core of SuperTokens 7 or newer (account linking)',
  realms: { word: 'app', table: 'apps', id: 'app_id', name: 'app_id', usual: 'public' },
  tables: [
    {
      name: 'users',
      tables: ids,
      id: 'user_id',
      columns: [primary, 'is_linked_or_is_a_primary_user'],
      realm: app,
      same: ['user_id', primary],
      joins: [mapping],
    },
    {
      name: 'methods',
      tables: ids,
      id: primary,
      columns: ['user_id', 'recipe_id'],
      realm: app,
      joins: [
        recipe('emailpassword_users', {
          emailPassword: 'email',
          passwordHash: 'password_hash',
          joinedPassword: 'time_joined',
        }),
        recipe('thirdparty_users', {
          emailThirdParty: 'email',
          thirdPartyId: 'third_party_id',
          thirdPartyUserId: 'third_party_user_id',
          joinedThirdParty: 'time_joined',
        }),
        recipe('passwordless_users', {
          emailPasswordless: 'email',
          phoneNumber: 'phone_number',
          joinedPasswordless: 'time_joined',
        }),
        mapping,
        ...underEither('emailverification_verified_emails', { verified: 'email' }, 3),
      ],
    },
    {
      name: 'tenants',
      tables: ['all_auth_recipe_users'],
      id: primary,
      columns: ['user_id', 'tenant_id'],
      realm: app,
    },
    ofUser('metadata', [mapping, ...underEither('user_metadata', { metadata: 'user_metadata' }, 0)]),
    ofUser('roles', [mapping, ...underEither('user_roles', { role: 'role', tenant: 'tenant_id' }, 0)]),
    ofUser('devices', [
      mapping,
      ...underEither(
        'totp_user_devices',
        { name: 'device_name', secret: 'secret_key', period: 'period', skew: 'skew', isVerified: 'verified' },
        0,
      ),
    ]),
  ],
  assemble,
  leavesOut: 'WebAuthn credentials, sessions and the permissions of roles',
};

/** In the form of its bulk import. */
function assemble({ row, related }: DatabaseUser): DatabaseUser {
  const isLinked = flagOf(row.is_linked_or_is_a_primary_user) === true;
  const { methods = [], tenants = [], roles = [], devices = [], metadata = [] } = related;
  const byId = [...Map.groupBy(methods, ({ user_id: id }) => textOf(id)).values()];
  const user = {
    externalUserId: textOf(row.externalId) ?? textOf(row.user_id),
    userMetadata: metadata.map((each) => objectOf(each.metadataMapped ?? each.metadata)).find(Boolean),
    userRoles: roles.flatMap(roleOf),
    totpDevices: devices.flatMap(deviceOf),
    loginMethods: byId.map((rows) => methodOf(rows, tenants, isLinked ? textOf(row.user_id) : undefined)),
  };
  const said = Object.entries(user).filter(([, value]) => !isEmpty(value));
  return { row: Object.fromEntries(said), related: {} };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** @param rows of one method: one for each verified email @param primaryId of linked users */
function methodOf(
  rows: readonly SourceRow[],
  tenants: readonly SourceRow[],
  primaryId: string | undefined,
): SourceRow {
  const [row = {}] = rows;
  const id = textOf(row.user_id);
  const email = textOf(row.emailPassword) ?? textOf(row.emailThirdParty) ?? textOf(row.emailPasswordless);
  const verified = rows.flatMap((each) => [textOf(each.verified), textOf(each.verifiedMapped)]);
  const hash = textOf(row.passwordHash);
  const recipeId = textOf(row.recipe_id);
  const method = {
    recipeId,
    tenantIds: tenants.filter((each) => textOf(each.user_id) === id).map((each) => each.tenant_id),
    email,
    passwordHash: hash,
    // The one spelling that does not show its kind.
    hashingAlgorithm: hash?.startsWith('$f_scrypt$') === true ? 'firebase_scrypt' : undefined,
    thirdPartyId: textOf(row.thirdPartyId),
    thirdPartyUserId: textOf(row.thirdPartyUserId),
    phoneNumber: textOf(row.phoneNumber),
    isVerified: recipeId === 'passwordless' || (email !== undefined && verified.includes(email)),
    isPrimary: primaryId === undefined ? undefined : id === primaryId,
    timeJoinedInMSSinceEpoch: row.joinedPassword ?? row.joinedThirdParty ?? row.joinedPasswordless,
  };
  return Object.fromEntries(Object.entries(method).filter(([, value]) => !isEmpty(value)));
}

function roleOf(row: SourceRow): readonly SourceRow[] {
  const [role, tenant] = [textOf(row.roleMapped ?? row.role), textOf(row.tenantMapped ?? row.tenant)];
  return role === undefined ? [] : [{ role, ...(tenant !== undefined && { tenantIds: [tenant] }) }];
}

/** An unverified device proves nothing. */
function deviceOf(row: SourceRow): readonly SourceRow[] {
  const [own, end] = row.secretMapped === null ? [row, ''] : [row, 'Mapped'];
  const secretKey = textOf(own[`secret${end}`]);
  if (secretKey === undefined || flagOf(own[`isVerified${end}`]) !== true) return [];
  const { [`period${end}`]: period, [`skew${end}`]: skew, [`name${end}`]: deviceName } = own;
  return [{ secretKey, period, skew, deviceName }];
}
