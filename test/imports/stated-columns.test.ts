/**
 * Each column that a record states for a login method: changed alone at the source, it is an update and not "unchanged". The base
 * of an import consists of digests of these (imports/parse/base.ts): a column without a digest fails here.
 */
import { expect, it } from 'vitest';
import type { statedColumns } from '../../src/domain/user-columns.ts';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { knownHash } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});

interface Case {
  /** A login method, and the part that differs at the source afterwards. */
  readonly method: object;
  readonly change: object;
  /** Only a column that never changes here may be left alone. */
  readonly outcome: 'updated' | 'unchanged';
}

const password = { recipeId: 'emailpassword', email: 'a@stated.example', passwordHash: knownHash };
const social = {
  recipeId: 'thirdparty',
  email: 'b@stated.example',
  thirdPartyId: 'google',
  thirdPartyUserId: 'g1',
};
const other = knownHash.replace('$04$', '$05$');

/** The compiler requires a case for each stated column. */
const cases: Readonly<Record<keyof typeof statedColumns, Case>> = {
  recipe: {
    method: password,
    change: { recipeId: 'passwordless', passwordHash: undefined },
    outcome: 'updated',
  },
  isVerified: { method: password, change: { isVerified: true }, outcome: 'updated' },
  timeJoined: {
    method: { ...password, timeJoinedInMSSinceEpoch: 1_600_000_000_000 },
    change: { timeJoinedInMSSinceEpoch: 1_600_000_000_001 },
    outcome: 'unchanged',
  },
  email: { method: password, change: { email: 'other@stated.example' }, outcome: 'updated' },
  passwordHash: { method: password, change: { passwordHash: other }, outcome: 'updated' },
  thirdPartyId: { method: social, change: { thirdPartyId: 'github' }, outcome: 'updated' },
  thirdPartyUserId: { method: social, change: { thirdPartyUserId: 'g2' }, outcome: 'updated' },
  phone: {
    method: { recipeId: 'passwordless', email: 'p@stated.example', phoneNumber: '+4915112345678' },
    change: { phoneNumber: '+4915112345679' },
    outcome: 'updated',
  },
};

it.each(Object.entries(cases))('a changed %s is seen', async (column, { method, change, outcome }) => {
  const app = `stated-${column.toLowerCase()}`;
  await core.put('/recipe/multitenancy/app/v2', { appId: app });
  const counted = async (...methods: readonly object[]): Promise<Readonly<Record<string, number>>> => {
    const lines = methods.map((each, n) =>
      JSON.stringify({ externalUserId: `user-${n}`, loginMethods: [each] }),
    );
    await place.write('users.ndjson', `${lines.join('\n')}\n`);
    const run = ['import', 'users.ndjson', '--yes', '--url', core.url, '--app', app, '--json'];
    const { stdout } = await place.run(run, withTestKey);
    return (JSON.parse(stdout) as { job: Readonly<Record<string, number>> }).job;
  };
  const still = { ...password, email: 'still@stated.example' };
  expect(await counted(method, still)).toMatchObject({ created: 2 });
  expect(await counted(method, still)).toMatchObject({ unchanged: 2, updated: 0 });
  const changed = await counted({ ...method, ...change }, still);
  expect({ [outcome]: changed[outcome], conflicts: changed.conflicts }).toEqual({
    [outcome]: outcome === 'unchanged' ? 2 : 1,
    conflicts: 0,
  });
});
