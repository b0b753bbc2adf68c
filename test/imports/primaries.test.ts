/** Two primary users share no email, phone number or provider's identity in a tenant, however they were created. */
import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/imports/model.ts';
import type { NativeLoginMethod, NativeUser } from '../../src/imports/record/native-record.ts';
import type { ChunkStore, ChunkTransaction } from '../../src/imports/ports.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { linkingStore } from '../../src/store/users/linking/store.ts';
import { bcryptHash, countsOf, person, type RunOptions, type TestImports } from '../helpers/imports.ts';
import {
  codesOf,
  counts,
  type Engines,
  google,
  password,
  recordOf,
  useEngines,
} from '../helpers/semantics.ts';

let engines: Engines;
let tenant: Tenant;
useEngines((opened, app) => {
  engines = opened;
  tenant = app;
});

const shared = 'shared@example.com';
const primary = { isPrimary: true };
const passwordless = (rest: object): NativeLoginMethod => ({
  recipeId: 'passwordless',
  timeJoinedInMSSinceEpoch: 3000,
  ...rest,
});

const byPassword = recordOf('p', password(shared, primary));
const bySocial = recordOf('s', google('g1', { email: shared, ...primary }));
const byOther = recordOf('o', google('g2', { email: shared, ...primary }));
const byCode = recordOf('c', passwordless({ email: shared, ...primary }));
const all = [byCode, bySocial, byOther];

/** @returns the outcome, and why records were refused */
async function outcomeOf(
  records: readonly NativeUser[],
  imports: TestImports = engines.imports,
  options: RunOptions = {},
) {
  const job = await imports.run(tenant, records, options);
  return { ...countsOf(job), codes: await codesOf(imports, tenant, job) };
}

const refused = (...places: readonly (readonly [line: number, field: string])[]) => ({
  codes: places.map(([line, field]) => [line, 'IDENTITY_TAKEN', `loginMethods.${field}`]),
});

const emailRefused = (...lines: readonly number[]) =>
  refused(...lines.map((line) => [line, '0.email'] as const));

/** Each line in a separate chunk. */
const cutting = (wrap?: (chunks: ChunkStore) => ChunkStore) =>
  engines.importsOf({ chunkBytes: 100, lanes: 3, ...(wrap && { wrap }) });

const wrapped =
  (change: (transaction: ChunkTransaction) => Partial<ChunkTransaction>) =>
  (chunks: ChunkStore): ChunkStore => ({
    transaction: (work) =>
      chunks.transaction((transaction) => work({ ...transaction, ...change(transaction) })),
  });

describe('primary users of one file', () => {
  it('keep to the first: its email is that of no other one, whatever the recipe', async () => {
    expect(await outcomeOf(all)).toEqual({ ...counts({ created: 1, rejected: 2 }), ...emailRefused(2, 3) });
    expect(await engines.store.users.findUser(tenant.appNo, 'c')).toMatchObject({ isPrimaryUser: true });
    expect(await engines.store.users.findUser(tenant.appNo, 's')).toBeUndefined();
  });

  it('keep to the first wherever the file is cut', async () => {
    expect(await outcomeOf(all, cutting())).toEqual({
      ...counts({ created: 1, rejected: 2 }),
      ...emailRefused(2, 3),
    });
  });

  it.each([
    ['whole', () => engines.imports],
    ['cut', cutting],
  ])('are reported by a dry run, too: the file %s', async (_, importsOf) => {
    const imports = importsOf();
    const outcome = { ...counts({ created: 1, rejected: 2 }), ...emailRefused(2, 3) };
    expect(await outcomeOf(all, imports, { dryRun: true })).toEqual(outcome);
    expect(await outcomeOf(all, imports)).toEqual(outcome);
  });

  it('keep to the first also where it is placed behind: by itself, because it has two login methods', async () => {
    const linked = recordOf('l', password('l@example.com', primary), google('g3', { email: shared }));
    expect(await outcomeOf([linked, bySocial])).toEqual({
      ...counts({ created: 1, rejected: 1 }),
      ...emailRefused(2),
    });
  });

  it('have what one leaves that is refused itself', async () => {
    await outcomeOf([byPassword]);
    const two = (id: string, ...emails: string[]) =>
      recordOf(id, ...emails.map((email, n) => google(`${id}${n}`, { email, isPrimary: n === 0 })));
    const records = [two('a', shared, 'x@example.com'), two('b', 'x@example.com', 'y@example.com')];
    expect(await outcomeOf(records)).toEqual({ ...counts({ created: 1, rejected: 1 }), ...emailRefused(1) });
  });

  it.each([
    ['whole', () => engines.imports],
    ['cut', cutting],
  ])('keep to what a user had before who is in a later line: the file %s', async (_, importsOf) => {
    const known = recordOf('k', google('g1', { email: shared, ...primary }));
    await outcomeOf([known]);
    const changed = recordOf('k', ...known.loginMethods, passwordless({ email: shared }));
    expect(await outcomeOf([byPassword, changed], importsOf())).toEqual({
      ...counts({ updated: 1, rejected: 1 }),
      ...emailRefused(1),
    });
  });

  it('may share it in different tenants, and not when one of theirs is the same', async () => {
    const other = await engines.store.newTenant(tenant);
    const there = { tenantIds: [other.tenantId] };
    const elsewhere = recordOf('e', google('g4', { email: shared, ...primary, ...there }));
    const both = recordOf(
      'b',
      google('g5', { email: shared, ...primary, ...there }),
      google('g6', { email: 'else@example.com' }),
    );
    expect(await outcomeOf([byCode, elsewhere, both])).toEqual({
      ...counts({ created: 2, rejected: 1 }),
      ...emailRefused(3),
    });
  });

  it('share phone numbers and identities no more, though the login methods are in different tenants', async () => {
    const other = await engines.store.newTenant(tenant);
    const there = { tenantIds: [other.tenantId] };
    const phone = { phoneNumber: '+4930123456' };
    const records = [
      recordOf('1', passwordless({ ...phone, ...primary }), google('g7')),
      recordOf('2', passwordless({ ...phone, ...there, ...primary }), password('two@example.com')),
      recordOf(
        '3',
        google('g7', { ...there, email: 'three@example.com', ...primary }),
        password('3@example.com'),
      ),
    ];
    expect(await outcomeOf(records)).toEqual({
      ...counts({ created: 1, rejected: 2 }),
      ...refused([2, '0.phoneNumber'], [3, '0.thirdPartyUserId']),
    });
  });

  it('are no rivals of users who are not primary', async () => {
    const records = [
      bySocial,
      recordOf('n', google('g8', { email: shared })),
      recordOf('m', password(shared)),
    ];
    expect(await outcomeOf(records)).toMatchObject(counts({ created: 3 }));
  });
});

describe('a primary user', () => {
  it.each([
    ['new rows', []],
    ['rows of which some are known', [person(1), person(2)]],
  ])('is refused who shares with one that is there: among %s', async (_, known) => {
    await outcomeOf([byPassword, ...known]);
    const more = [...known, bySocial, person(3)];
    expect(await outcomeOf(more)).toMatchObject({
      ...counts({ created: 1, unchanged: known.length, rejected: 1 }),
      ...emailRefused(known.length + 1),
    });
    expect(await outcomeOf([byPassword, ...more])).toMatchObject(emailRefused(known.length + 2));
  });

  it('does not get the email of another one', async () => {
    const linked = recordOf('l', password('l@example.com', primary), google('g9'));
    await outcomeOf([byCode, linked]);
    const changed = recordOf('l', password(shared, primary), google('g9'));
    expect(await outcomeOf([changed])).toEqual({ ...counts({ rejected: 1 }), ...emailRefused(1) });
    expect(await outcomeOf([changed], engines.imports, { dryRun: true })).toMatchObject(emailRefused(1));
  });

  it('does not come of one who was none, by a record that says so or brings a login method', async () => {
    const plain = recordOf('s', google('g1', { email: shared }));
    await outcomeOf([byCode, plain]);
    const bringing = recordOf('s', google('g1', { email: shared, ...primary }), password('new@example.com'));
    for (const record of [bySocial, bringing])
      expect(await outcomeOf([record])).toEqual({ ...counts({ rejected: 1 }), ...emailRefused(1) });
    expect(await engines.store.users.findUser(tenant.appNo, 's')).toMatchObject({ isPrimaryUser: false });
  });

  it('may have an email that an earlier line has taken from another one, in a dry run as well', async () => {
    const before = recordOf('l', password(shared, primary), google('g9'));
    const records = [recordOf('l', password('next@example.com', primary), google('g9')), bySocial];
    await outcomeOf([before]);
    for (const imports of [engines.imports, cutting()])
      expect(await outcomeOf(records, imports, { dryRun: true })).toMatchObject(
        counts({ updated: 1, created: 1 }),
      );
    expect(await outcomeOf(records, cutting())).toMatchObject(counts({ updated: 1, created: 1 }));
  });

  it('is changed in all else, though there is a rival from former times', async () => {
    await outcomeOf([byCode, recordOf('s', google('g1', { email: shared }))]);
    await engines.store.sql(
      'update users set primary_user_id = user_id where app_no = $1 and external_id = $2',
      [tenant.appNo, 's'],
    );
    const record = { ...bySocial, userMetadata: { a: 1 } };
    expect(await outcomeOf([record])).toMatchObject({ ...counts({ updated: 1 }), codes: [] });
  });
});

describe('during requests', () => {
  const plain = recordOf('s', google('g1', { email: shared }));
  const makePrimary = () => linkingStore(engines.store.database).makePrimary(tenant.appNo, 's');

  it('who was made primary since the rows were written stays', async () => {
    await outcomeOf([plain]);
    let made: unknown;
    const imports = cutting(
      wrapped((transaction) => ({
        holdPrimaries: async (job) => {
          made ??= await makePrimary();
          await transaction.holdPrimaries(job);
        },
      })),
    );
    expect(await outcomeOf([byCode], imports)).toEqual({ ...counts({ rejected: 1 }), ...emailRefused(1) });
    expect(made).toEqual({ outcome: 'primary', wasPrimary: false });
  });

  it('who is to be made primary while a chunk is committed is not', async () => {
    await outcomeOf([plain]);
    let made: ReturnType<typeof makePrimary> | undefined;
    const imports = cutting(
      wrapped((transaction) => ({
        holdPrimaries: async (job) => {
          await transaction.holdPrimaries(job);
          made = makePrimary();
          await isWaiting();
        },
      })),
    );
    expect(await outcomeOf([byCode], imports)).toMatchObject(counts({ created: 1 }));
    expect(await made).toMatchObject({ outcome: 'info-taken', primaryUserId: 'c', info: 'email' });
  });

  /** Until a statement waits for the import. */
  async function isWaiting(): Promise<void> {
    for (;;) {
      const rows = await engines.store.sql(
        `select 1 from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
      );
      if (rows.length > 0) return;
    }
  }
});

it('records of users who are not primary ask nothing', async () => {
  let asked = 0;
  const imports = cutting(
    wrapped((transaction) => ({
      sharedInfos: (...of) => {
        asked++;
        return transaction.sharedInfos(...of);
      },
    })),
  );
  const job: Job = await imports.run(tenant, [person(1), recordOf('n', google('g1')), person(2)]);
  expect(countsOf(job)).toEqual(counts({ created: 3 }));
  const changed = recordOf('legacy-1', password('person-1@example.com', { passwordHash: bcryptHash(9) }));
  expect(countsOf(await imports.run(tenant, [changed]))).toEqual(counts({ updated: 1 }));
  expect(asked).toBe(0);
  expect(countsOf(await imports.run(tenant, [byCode]))).toEqual(counts({ created: 1 }));
  expect(asked).toBeGreaterThan(0);
});
