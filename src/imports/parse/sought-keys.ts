import type { KeysTask, PasswordsTask, PlainPassword, RecordRules } from '../tasks.ts';
import { arraysOf, type RowOf } from '../../domain/columns.ts';
import { soughtExternalColumns, soughtIdentityColumns } from '../../domain/user-columns.ts';
import { asCoreId } from '../../domain/identity.ts';
import { externalIdKind, keysOf, parseRecord } from '../record/parse-record.ts';
import type { SingleRecord, SoughtKeys } from './types.ts';

type SoughtIdentity = RowOf<typeof soughtIdentityColumns, undefined>;
type SoughtExternal = RowOf<typeof soughtExternalColumns, undefined>;

/** The keys of records that are looked at one by one: who holds them is asked next. */
export function soughtKeys({ records, rules }: KeysTask): SoughtKeys {
  const identities: SoughtIdentity[] = [];
  const externals: SoughtExternal[] = [];
  for (const single of records) gather(single, rules, identities, externals);
  return {
    identities: arraysOf(soughtIdentityColumns, identities),
    externals: arraysOf(soughtExternalColumns, externals),
  };
}

/** A record that is not valid by these rules is passed over: whoever decides about it says why. */
function gather(
  { record, text }: SingleRecord,
  rules: RecordRules,
  identities: SoughtIdentity[],
  externals: SoughtExternal[],
): void {
  const result = parseRecord(text, rules);
  if (!result.ok) return;
  const externalId = result.record.externalUserId;
  for (const { kind, key, place, tenantNo } of keysOf(result.record)) {
    if (kind !== externalIdKind) identities.push({ record, method: place, tenantNo, kind, key });
    else if (externalId !== undefined)
      externals.push({ record, externalId, externalKey: key, coreId: asCoreId(externalId) });
  }
}

/** The plain-text passwords of records that were found valid before. */
export function plainPasswords({ records }: PasswordsTask): readonly PlainPassword[] {
  return records.flatMap(({ record, text }) => {
    const { loginMethods } = JSON.parse(text) as {
      readonly loginMethods: readonly { readonly plainTextPassword?: string }[];
    };
    return loginMethods.flatMap(({ plainTextPassword: password }, method) =>
      password === undefined ? [] : [{ record, method, password }],
    );
  });
}
