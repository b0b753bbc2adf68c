import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conflict, OnConflict } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { HeldMethod } from '../../src/imports/parse/types.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { World } from '../helpers/bulk-world.ts';
import { bcryptHash, countsOf } from '../helpers/imports.ts';
import { pick, type Random, randomOf } from '../helpers/random-records.ts';
import { type Engines, openEngines } from '../helpers/semantics.ts';

/**
 * Random histories of one user: imports of the source's statements, changes at the source and changes here, in any order. A
 * simple model of each field, with the last stated and the present value, predicts the result.
 */

type Field = 'email' | 'password' | 'metadata';
const fields: readonly Field[] = ['email', 'password', 'metadata'];
type Values = Record<Field, number>;

/** The result of an import, by the documented rules. */
class Account {
  base: Values | undefined;
  here: Values | undefined;

  import(stated: Values, onConflict: OnConflict): Field[] {
    const { base, here } = this;
    if (!base || !here) {
      this.base = { ...stated };
      this.here = { ...stated };
      return [];
    }
    const differing = fields.filter(
      (field) => stated[field] !== base[field] && stated[field] !== here[field],
    );
    const conflicts = differing.filter((field) => here[field] !== base[field]);
    const isLeft = onConflict === 'skip' || onConflict === 'reject';
    // A user who is left alone keeps the base, unless there was nothing to decide.
    if (isLeft && differing.length > 0) return conflicts;
    for (const field of differing) {
      const isKept = onConflict === 'ours' || (onConflict === 'update' && field === 'password');
      if (!conflicts.includes(field) || !isKept) here[field] = stated[field];
    }
    this.base = { ...stated };
    return conflicts;
  }
}

const emailOf = (n: number): string => `e${n}@example.com`;

function recordOf({ email, password, metadata }: Values, hasId: boolean): NativeUser {
  const method = { email: emailOf(email), passwordHash: bcryptHash(password) };
  return {
    ...(hasId && { externalUserId: 'x' }),
    sameIds: true,
    userMetadata: { v: metadata },
    loginMethods: [{ recipeId: 'emailpassword', ...method, timeJoinedInMSSinceEpoch: 1 }],
  };
}

const rules: readonly OnConflict[] = ['update', 'update', 'theirs', 'ours', 'skip', 'reject'];
const groupOf: Readonly<Record<string, Field>> = {
  email: 'email',
  password: 'password',
  metadata: 'metadata',
};
const listed = (conflicts: readonly Pick<Conflict, 'group'>[]): unknown[] =>
  conflicts.map(({ group }) => groupOf[group]);

function changed(random: Random, values: Values, of: readonly Field[]): Values {
  return { ...values, [pick(random, of)]: random(4) };
}

/** Of an only user. */
function valuesIn(method: HeldMethod): Values {
  const found = (of: (n: number) => string, text: string | null) =>
    [0, 1, 2, 3].findIndex((n) => of(n) === text);
  return {
    email: found(emailOf, method.email),
    password: found(bcryptHash, method.passwordHash),
    metadata: (method.metadata as { v: number }).v,
  };
}

function play(random: Random, hasId: boolean): void {
  const [world, account] = [new World(), new Account()];
  let source: Values = { email: 0, password: 0, metadata: 0 };
  for (let step = 0; step < 8; step++) {
    const what = random(3);
    // Without an id only a known email leads to the user.
    if (what === 0) source = changed(random, source, hasId ? fields : ['password', 'metadata']);
    else if (what === 1 && account.here) {
      account.here = changed(random, account.here, fields);
      const { email, password, metadata } = account.here;
      const [id = ''] = world.methods.keys();
      const change = { email: emailOf(email), passwordHash: bcryptHash(password), metadata: { v: metadata } };
      world.change(id, change);
    } else {
      const onConflict = pick(random, rules);
      const [decided] = world.import([recordOf(source, hasId)], { onConflict });
      world.endJob();
      expect(listed(decided?.conflicts ?? [])).toEqual(account.import(source, onConflict));
    }
    const methods = [...world.methods.values()];
    expect(methods.map(valuesIn)).toEqual(account.here ? [account.here] : []);
  }
}

describe('random histories', () => {
  it('overwrite nothing that was changed here unless the setting says so, and list every conflict', () => {
    for (let seed = 1; seed <= 5000; seed++) {
      try {
        play(randomOf(seed), seed % 3 !== 0);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  }, 300_000);
});

describe('random histories in the database', () => {
  let engines: Engines;
  let tenant: Tenant;
  beforeAll(async () => {
    engines = await openEngines();
  });
  afterAll(() => engines.dispose());

  interface Stored {
    readonly user_id: string;
    readonly email: string;
    readonly password_hash: string;
    readonly metadata: { readonly v: number };
  }

  const stored = () =>
    engines.store.sql<Stored>(
      `select u.user_id, u.email, u.password_hash, t.metadata from users u
       left join user_details t using (app_no, user_id) where u.app_no = $1`,
      [tenant.appNo],
    );

  const everything = () =>
    engines.store.sql(
      `select image_of(u.app_no, u.user_id) as image from users u where u.app_no = $1 order by u.user_id`,
      [tenant.appNo],
    );

  /** As requests do, except for metadata, which has no request. */
  async function changeHere(before: Values, after: Values): Promise<void> {
    const [user] = await stored();
    const { appNo } = tenant;
    const userId = user?.user_id ?? '';
    const email = after.email === before.email ? undefined : emailOf(after.email);
    const passwordHash = after.password === before.password ? undefined : bcryptHash(after.password);
    const change = { ...(email && { email }), ...(passwordHash && { passwordHash }) };
    expect(await engines.store.users.changeUser({ appNo, userId, ...change })).toBe('changed');
    await engines.store.sql(
      'update user_details set metadata = $3::text::jsonb where app_no = $1 and user_id = $2',
      [appNo, userId, JSON.stringify({ v: after.metadata })],
    );
  }

  async function importRecord(source: Values, hasId: boolean, onConflict: OnConflict) {
    const job = await engines.imports.run(tenant, [recordOf(source, hasId)], { onConflict });
    const conflicts: Conflict[] = [];
    for await (const page of engines.imports.conflicts(tenant, job.id)) conflicts.push(...page);
    expect(job.conflicts).toBe(conflicts.length);
    return { job, conflicts };
  }

  it.each(Array.from({ length: 24 }, (_, n) => n + 1))(
    'come to the same, and are undone whole (seed %i)',
    async (seed) => {
      tenant = await engines.store.newApp();
      const [random, account] = [randomOf(seed), new Account()];
      const hasId = seed % 3 !== 0;
      let source: Values = { email: 0, password: 0, metadata: 0 };
      for (let step = 0; step < 8; step++) {
        const what = random(3);
        if (what === 0) source = changed(random, source, hasId ? fields : ['password', 'metadata']);
        else if (what === 1 && account.here) {
          const before = account.here;
          account.here = changed(random, before, fields);
          await changeHere(before, account.here);
        } else {
          const onConflict = pick(random, rules);
          const before = await everything();
          const isUndone = random(3) === 0 && account.here !== undefined;
          const trial = isUndone ? await importRecord(source, hasId, onConflict) : undefined;
          if (trial) {
            const undone = await engines.imports.undo(tenant, trial.job.id, true);
            expect([undone?.left, await everything()]).toEqual([[], before]);
          }
          const { job, conflicts } = await importRecord(source, hasId, onConflict);
          expect(listed(conflicts)).toEqual(account.import(source, onConflict));
          const { created, updated, unchanged, skipped, rejected } = countsOf(job);
          expect(created + updated + unchanged + skipped + rejected).toBe(1);
        }
        const users = await stored();
        expect(users.map(({ email, password_hash: hash, metadata }) => ({ email, hash, metadata }))).toEqual(
          account.here
            ? [
                {
                  email: emailOf(account.here.email),
                  hash: bcryptHash(account.here.password),
                  metadata: { v: account.here.metadata },
                },
              ]
            : [],
        );
      }
    },
  );
});
