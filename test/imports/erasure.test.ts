/** A removed user is removed from every table: with the real engine, with real threads and a real database. */
import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, it } from 'vitest';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { bulkQueue } from '../../src/imports/queue/queue.ts';
import { validateRecords } from '../../src/imports/queue/validation.ts';
import { hashMark } from '../../src/domain/digests.ts';
import { identityKey } from '../../src/domain/identity.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { queueStore } from '../../src/store/imports/queue/queue.ts';
import { bcryptHash, countsOf, person, type TestImports } from '../helpers/imports.ts';
import type { TestStore } from '../helpers/store.ts';
import { useImports } from '../helpers/use-imports.ts';

let store: TestStore;
let imports: TestImports;
let tenant: Tenant;

useImports({
  all: (used) => {
    ({ store, imports } = used);
  },
  each: (own) => {
    tenant = own;
  },
});
afterEach(() => store.tenants.removeApp(tenant.appId));

const id = 'their "ärztin-of-old"';
const email = 'ärztin.only@person.test';
const formerEmail = 'former.only@person.test';
const socialEmail = 'social.only@person.test';
const phoneNumber = '+4930123454321';
const [hash, formerHash] = [bcryptHash(777), bcryptHash(778)];
/** As texts, and in derived forms. */
const texts = ['ärztin-of-old', email, formerEmail, socialEmail, phoneNumber, hash, formerHash];
const digests = [...[id, ...texts].map(identityKey), ...[hash, formerHash].map(hashMark)];

/** Tables of the schema with one of these in any column of their rows; new tables are included. */
async function tablesWith(needles: readonly string[]): Promise<string[]> {
  const tables = await store.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'carryover' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(15);
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await store.sql<{ isThere: boolean }>(
        `select exists (
           select from ${name} t, lateral (values (t::text), (to_jsonb(t)::text)) s (whole),
             unnest($1::text[]) n (needle)
           where strpos(lower(s.whole), lower(n.needle)) > 0
             or strpos(replace(s.whole, '-', ''), n.needle) > 0
             or strpos(s.whole, encode(convert_to(n.needle, 'UTF8'), 'hex')) > 0
         ) as "isThere"`,
        [`{${needles.map((each) => JSON.stringify(each)).join(',')}}`],
      );
      return row?.isThere === true ? [name] : [];
    }),
  );
  return found.flat();
}

const password = (rest: object = {}) =>
  ({ recipeId: 'emailpassword', email, passwordHash: hash, isVerified: true, ...rest }) as const;
const social = {
  recipeId: 'thirdparty',
  email: socialEmail,
  thirdPartyId: 'google',
  thirdPartyUserId: 'g-only-person',
} as const;
const phone = { recipeId: 'passwordless', phoneNumber } as const;
const theirs = (...loginMethods: NativeUser['loginMethods']): NativeUser => ({
  externalUserId: id,
  loginMethods,
});

function queueOf() {
  return bulkQueue({
    store: queueStore(store.database),
    engine: {
      ...imports,
      validateRecords: (where, records) => validateRecords(imports.engine, where, records),
    },
    findImported: () => Promise.resolve(undefined),
    now: Date.now,
    newId: (ms) => uuidv7({ msecs: ms }),
    nudge: () => undefined,
  });
}

/** One of the entries fails, the others wait. */
async function queue(records: readonly NativeUser[]): Promise<void> {
  const entries = queueOf();
  expect(await entries.add(tenant, records)).toEqual([]);
  const { users } = await entries.list(tenant, {});
  await store.sql(`update import_queue set status = 3, error_message = 'no' where entry_id = $1`, [
    users[0]?.id ?? '',
  ]);
}

/** The person is imported, changed, linked, rejected and queued, and uses the account; with others around. */
async function live(): Promise<void> {
  const wrong = JSON.stringify(theirs(password({ passwordHash: 'no hash' })));
  const others = Array.from({ length: 5 }, (_, n) => person(n));
  await imports.run(tenant, [
    wrong,
    ...others,
    theirs(password({ email: formerEmail, passwordHash: formerHash })),
  ]);
  const own = password({ email: formerEmail, passwordHash: formerHash });
  const linked = theirs(password({ isPrimary: true }), own, social, phone);
  await imports.run(
    tenant,
    [{ ...linked, userMetadata: { mail: email } }, person(1, { userMetadata: { a: 1 } })],
    { sameIds: true },
  );
  await imports.run(tenant, [theirs(password({ passwordHash: formerHash }))], { dryRun: true });
  const rejected = [theirs(password({ passwordHash: formerHash })), person(2, { userMetadata: { a: 1 } })];
  const job = await imports.run(tenant, rejected, { onConflict: 'reject' });
  expect(countsOf(job)).toMatchObject({ rejected: 2 });
  await imports.run(tenant, [wrong, ...others, 'no record']);
  await useAccount();
  await queue([
    theirs({ ...phone, phoneNumber: '+4930999999' }),
    { loginMethods: [password({ email: ` ${email.toUpperCase()} ` })] },
    { loginMethods: [password({ email: formerEmail })] },
    { loginMethods: [{ ...social, thirdPartyId: 'github' }] },
    { loginMethods: [{ ...social, email: 'another@person.test' }] },
    { loginMethods: [phone] },
    person(3),
    person(4),
  ]);
}

async function useAccount(): Promise<void> {
  const { appNo } = tenant;
  const user = await store.users.findUser(appNo, id);
  expect(user?.loginMethods).toHaveLength(4);
  const userId = user?.loginMethods.find((each) => each.email === email)?.recipeUserId ?? '';
  const core = await store.mappings.find(appNo, id, 'ANY');
  const coreId = core?.superTokensUserId ?? userId;
  await store.signIns.mark({ appNo, userId: coreId, at: 1 });
  await store.signIns.markCheck({ appNo, userId: coreId, at: 1, passwordHash: hash, isRight: true });
  await store.mappings.setInfo(appNo, id, 'ANY', `info of ${email}`);
  const token = { tenant, pair: { userId: id, email }, expiresAt: Date.now() + 1e6 };
  await store.resets.createToken({ ...token, tokenHash: '00' });
  await store.verification.createToken({
    ...token,
    pair: { userId: id, email: formerEmail },
    tokenHash: '01',
  });
  await store.verification.setVerified(appNo, { userId: id, email: 'elsewhere@person.test' }, true);
}

const everywhere = [
  'external_id_info',
  'import_before_images',
  'import_queue',
  'import_rejects',
  'tokens',
  'user_details',
  'users',
  'verified_emails',
];

describe('who is removed', () => {
  it('is in no row of any table, as text or digest', async () => {
    await live();
    expect(await tablesWith(texts)).toEqual(everywhere);
    await store.users.removeUser(tenant.appNo, id, true);
    expect(await tablesWith([...texts, ...digests])).toEqual([]);
  });

  it('takes nothing along that is of others', async () => {
    await live();
    await store.users.removeUser(tenant.appNo, id, true);
    const [{ images, ids, rejects, entries } = {}] = await store.sql<Record<string, number>>(
      `select (select count(*)::int from import_before_images) as images,
         (select count(*)::int from import_queue where app_no = $1) as entries,
         (select count(external_user_id)::int from import_rejects where app_no = $1) as ids,
         (select count(*)::int from import_rejects where app_no = $1) as rejects`,
      [tenant.appNo],
    );
    expect({ images, ids, rejects, entries }).toEqual({ images: 1, ids: 1, rejects: 5, entries: 2 });
    expect((await store.users.findUser(tenant.appNo, 'legacy-1'))?.id).toBe('legacy-1');
  });

  it('leaves no other person’s record whose external id is an id or identity of theirs', async () => {
    await imports.run(tenant, [theirs(password()), { ...theirs(social), externalUserId: 'theirs too' }]);
    const [found] = await store.sql<{ core: string }>(
      `select user_id::text as core from users where app_no = $1 and email = $2`,
      [tenant.appNo, email],
    );
    const ids = [found?.core ?? '', email, 'g-only-person'];
    const named = ids.map((each, n) => ({ ...person(n), externalUserId: each }));
    const wrong = named.map((each) => JSON.stringify({ ...each, userRoles: [{ role: '' }] }));
    expect(
      countsOf(await imports.run(tenant, [...wrong, JSON.stringify({ ...person(7), userRoles: {} })])),
    ).toMatchObject({
      rejected: 4,
    });
    await queue([...named, person(3)]);
    await store.users.removeUser(tenant.appNo, id, true);
    await store.users.removeUser(tenant.appNo, 'theirs too', true);
    expect(await tablesWith(ids)).toEqual([]);
    const [left] = await store.sql(
      `select (select count(*)::int from import_queue where app_no = $1) as entries,
         (select count(external_user_id)::int from import_rejects where app_no = $1) as ids`,
      [tenant.appNo],
    );
    expect(left).toEqual({ entries: 1, ids: 1 });
  });

  it('stays in other apps', async () => {
    await imports.run(tenant, [theirs(password())]);
    await queue([theirs(password())]);
    const elsewhere = tenant;
    tenant = await store.newApp();
    await live();
    await store.users.removeUser(tenant.appNo, id, true);
    expect(await tablesWith([email])).toEqual(['import_queue', 'users']);
    await store.tenants.removeApp(elsewhere.appId);
    expect(await tablesWith([...texts, ...digests])).toEqual([]);
  });
});

describe('the people of', () => {
  it('a tenant that is removed are in no row of any table', async () => {
    const shop = await store.newTenant(tenant);
    const tenantIds = [shop.tenantId];
    const linked = theirs(password({ tenantIds, isPrimary: true }), { ...social, tenantIds });
    await imports.run(tenant, [
      theirs(password({ tenantIds, email: formerEmail, passwordHash: formerHash })),
    ]);
    await imports.run(tenant, [linked], { sameIds: true });
    await imports.run(tenant, [theirs(password({ tenantIds, passwordHash: formerHash }))], {
      onConflict: 'reject',
    });
    await queue([
      theirs(password()),
      { loginMethods: [{ ...phone, tenantIds: [shop.tenantId.toUpperCase()] }] },
    ]);
    expect((await tablesWith(texts)).length).toBeGreaterThan(3);
    await store.tenants.removeTenant(tenant.appId, shop.tenantId);
    expect(await tablesWith([...texts, ...digests])).toEqual([]);
  });

  it('an app that is removed are in no row of any table', async () => {
    await live();
    await store.tenants.removeApp(tenant.appId);
    expect(await tablesWith([...texts, ...digests])).toEqual([]);
  });
});
