/** The database of each old system, through the command into a whole core, where everybody signs in as before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { Ended } from '../helpers/command.ts';
import type { TestCore } from '../helpers/core.ts';
import { createOldDatabase, type OldDatabase, tablesOf } from '../helpers/sources.ts';
import { useCoreAndPlace, withTestKey } from '../helpers/use-core.ts';

const oldPassword = 'correct horse battery staple';

let core: TestCore;
let place: Place;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});

interface OldSystem {
  readonly name: string;
  readonly flags?: readonly string[];
  /** Ada as the core has her. */
  readonly ada: object;
  /** Everybody who signs in with the old password. */
  readonly signIn: readonly string[];
  /** Who may not, as at the source. */
  readonly kept?: readonly string[];
  readonly written: number;
  readonly byKind: Readonly<Record<string, number>>;
  /** What is said of those left out. */
  readonly leftOut?: readonly string[];
}

const google = { id: 'google', userId: '109876543210987654321' };

const systems: readonly OldSystem[] = [
  {
    name: 'supabase',
    ada: {
      id: '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
      emails: ['ada@example.com'],
      phoneNumbers: ['+15555550100'],
      thirdParty: [google],
      timeJoined: Date.parse('2024-01-15T10:29:12.5Z'),
    },
    signIn: ['ada@example.com'],
    kept: ['banned@example.com'],
    written: 2,
    byKind: { bcrypt: 2 },
    leftOut: ['the account is anonymous'],
  },
];

describe.each(systems)('$name', (system) => {
  const { name, flags = [] } = system;
  const app = `source-${name}`;
  let database: OldDatabase;
  let exported: Ended;

  beforeAll(async () => {
    database = await createOldDatabase(await tablesOf(name));
    await core.put('/recipe/multitenancy/app/v2', { appId: app });
    exported = await place.run(['export-from', database.address, '--from', name, ...flags]);
  });

  afterAll(() => database.drop());

  it('is read whole, and says what there was', () => {
    const { leftOut = [] } = system;
    expect({ ...exported, lines: exported.stdout.split('\n').length - 1 }).toMatchObject({
      code: leftOut.length > 0 ? 1 : 0,
      lines: system.written,
    });
    const kinds = Object.entries(system.byKind).map(([kind, users]) => `${users} ${kind}`);
    for (const said of [...kinds, ...leftOut]) expect(exported.stderr).toContain(said);
  });

  it('goes through a pipe into a core', async () => {
    const where = ['--url', core.url, '--app', app, '--json'];
    const { stdout } = await place.run(['import', '-', ...where], {
      ...withTestKey,
      input: exported.stdout,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      rejected: 0,
      job: { state: 'done', created: system.written, byKind: system.byKind },
    });
  });

  it('lets everybody sign in with the password that they have, and nobody who might not', async () => {
    const { signIn, kept = [] } = system;
    const answers = [...signIn, ...kept].map(async (email) => {
      const { body } = await core.post(`/appid-${app}/recipe/signin`, { email, password: oldPassword });
      return [email, body.status === 'OK'];
    });
    expect(await Promise.all(answers)).toEqual([
      ...signIn.map((email) => [email, true]),
      ...kept.map((email) => [email, false]),
    ]);
  });

  it('keeps ids, times and the other ways to sign in', async () => {
    const { users } = (await core.get(`/appid-${app}/users`)).body as { users: { emails: string[] }[] };
    expect(users.find(({ emails }) => emails.includes('ada@example.com'))).toMatchObject(system.ada);
  });
});
