import { describe, expect, it } from 'vitest';
import type { ChunkStore } from '../../src/imports/ports.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { bcryptHash, countsOf } from '../helpers/imports.ts';
import { counts, type Engines, useEngines, password, recordOf } from '../helpers/semantics.ts';

/** A request changes a password or an email while an import looks at it. */

let engines: Engines;
let tenant: Tenant;
useEngines((all, own) => {
  [engines, tenant] = [all, own];
});

type Step = 'find' | 'change' | 'place' | 'create';

/** Interposes once: before a chunk's step or after it. */
function at(step: Step, when: 'before' | 'after', act: () => Promise<unknown>) {
  let isDone = false;
  const once = async (): Promise<void> => {
    if (isDone) return;
    isDone = true;
    await act();
  };
  return (chunks: ChunkStore): ChunkStore => ({
    transaction: (work) =>
      chunks.transaction((chunk) => {
        const run = chunk[step].bind(chunk) as (...args: unknown[]) => Promise<unknown>;
        const wrapped = async (...args: unknown[]): Promise<unknown> => {
          if (when === 'before') await once();
          const result = await run(...args);
          if (when === 'after') await once();
          return result;
        };
        return work({ ...chunk, [step]: wrapped });
      }),
  });
}

interface Row {
  readonly user_id: string;
  readonly email: string;
  readonly password_hash: string;
}

const users = () =>
  engines.store.sql<Row>('select user_id, email, password_hash from users where app_no = $1 order by email', [
    tenant.appNo,
  ]);

async function changeHere(change: { email?: string; passwordHash?: string }): Promise<void> {
  const [user] = await users();
  const { appNo } = tenant;
  expect(await engines.store.users.changeUser({ appNo, userId: user?.user_id ?? '', ...change })).toBe(
    'changed',
  );
}

const here = bcryptHash(7);
const before = recordOf('x', password('a@example.com'));
const after = recordOf('x', password('a@example.com', { passwordHash: bcryptHash(2) }));

describe('a password change', () => {
  it('that commits before the import reads its user is kept, and listed', async () => {
    await engines.imports.run(tenant, [before]);
    const racing = engines.importsOf({
      lanes: 1,
      wrap: at('find', 'before', () => changeHere({ passwordHash: here })),
    });
    const job = await racing.run(tenant, [after]);
    expect([countsOf(job), job.conflicts]).toEqual([counts({ unchanged: 1 }), 1]);
    expect(await users()).toMatchObject([{ password_hash: here }]);
  });

  it('that comes between the look and the write waits, and comes last', async () => {
    await engines.imports.run(tenant, [before]);
    let changing: Promise<void> | undefined;
    const racing = engines.importsOf({
      lanes: 1,
      wrap: at('find', 'after', () => {
        changing = changeHere({ passwordHash: here });
        return Promise.resolve();
      }),
    });
    const job = await racing.run(tenant, [after]);
    await changing;
    expect(countsOf(job)).toEqual(counts({ updated: 1 }));
    expect(await users()).toMatchObject([{ password_hash: here }]);
    expect(countsOf(await engines.imports.run(tenant, [after]))).toEqual(counts({ unchanged: 1 }));
    expect(await users()).toMatchObject([{ password_hash: here }]);
  });
});

describe('an email change', () => {
  const anonymous = recordOf(undefined, password('a@example.com'));
  const others = [1, 2, 3].map((n) => recordOf(undefined, password(`other-${n}@example.com`)));

  it.each([
    ['created', 'create', 'before'],
    ['placed', 'place', 'before'],
    ['looked at', 'find', 'before'],
  ] as const)('that commits as users are %s makes no second user of the record', async (_, step, when) => {
    await engines.imports.run(tenant, [anonymous]);
    // As if no import had happened: then the next one is expected to be of new users.
    await engines.store.sql('delete from import_jobs where app_no = $1', [tenant.appNo]);
    const change = () => changeHere({ email: 'new@example.com' });
    const racing = engines.importsOf({ lanes: 1, wrap: at(step, when, change) });
    const changed = recordOf(undefined, password('a@example.com', { passwordHash: bcryptHash(2) }));
    const job = await racing.run(tenant, [...others, changed]);
    expect(countsOf(job)).toEqual(counts({ created: 3, updated: 1 }));
    const [first] = await users();
    expect(first).toMatchObject({ email: 'new@example.com', password_hash: bcryptHash(2) });
    expect(await users()).toHaveLength(4);
  });
});
