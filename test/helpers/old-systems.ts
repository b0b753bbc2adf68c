/** Tests for every old system whose database is read: shared by PostgreSQL and MySQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from './carryover.ts';
import type { Ended } from './command.ts';
import type { TestCore } from './core.ts';
import { useCoreAndPlace, withTestKey } from './use-core.ts';

const oldPassword = 'correct horse battery staple';

/** A database with the tables of one system. */
export interface OldDatabase {
  /** As on a command line. */
  readonly address: string;
  drop(): Promise<void>;
}

export interface OldSystem {
  readonly name: string;
  readonly flags?: readonly string[];
  /** Ada's record in the core. */
  readonly ada: object;
  readonly isVerified: boolean;
  /** A part of it. */
  readonly metadata?: object;
  readonly roles?: readonly string[];
  /** All users who sign in with the old password. */
  readonly signIn: readonly string[];
  /** Users who may not, as at the source. */
  readonly kept?: readonly string[];
  readonly written: number;
  readonly byKind: Readonly<Record<string, number>>;
  /** Reported in addition to the counts. */
  readonly leftOut?: readonly string[];
}

/** @param create makes the database of a system */
export function testSystems(
  systems: readonly OldSystem[],
  create: (name: string) => Promise<OldDatabase>,
): void {
  let core: TestCore;
  let place: Place;
  useCoreAndPlace((used) => {
    ({ core, place } = used);
  });

  describe.each(systems)('$name', (system) => {
    const { name, flags = [] } = system;
    const app = `source-${name}`;
    let database: OldDatabase;
    let exported: Ended;

    beforeAll(async () => {
      database = await create(name);
      await core.put('/recipe/multitenancy/app/v2', { appId: app });
      exported = await place.run(['export-from', database.address, '--from', name, ...flags]);
    });

    afterAll(() => database.drop());

    it('is read whole, and says what there was', () => {
      const { leftOut = [] } = system;
      expect({ ...exported, lines: exported.stdout.split('\n').length - 1 }).toMatchObject({
        lines: system.written,
      });
      const kinds = Object.entries(system.byKind).map(([kind, users]) => `${users} ${kind}`);
      for (const said of [...kinds, ...leftOut]) expect(exported.stderr).toContain(said);
    });

    it('goes through a pipe into a core', async () => {
      const where = ['--url', core.url, '--app', app, '--json'];
      const { stdout } = await place.run(['import', '--yes', '-', ...where], {
        ...withTestKey,
        input: exported.stdout,
      });
      expect(JSON.parse(stdout)).toMatchObject({
        rejected: 0,
        job: { state: 'done', created: system.written, byKind: system.byKind },
      });
    });

    it('signs in all users with their passwords, and none who may not', async () => {
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

    it('keeps ids, times, what was verified and the other ways to sign in', async () => {
      const { users } = (await core.get(`/appid-${app}/users`)).body as { users: UserView[] };
      const found = users.find(({ emails }) => emails.includes('ada@example.com'));
      expect(found).toMatchObject(system.ada);
      const own = found?.loginMethods.filter(({ email }) => email === 'ada@example.com') ?? [];
      expect(new Set(own.map(({ verified }) => verified))).toEqual(new Set([system.isVerified]));
    });

    it('keeps what the app knows of people, and their roles', async () => {
      const query = { userId: (system.ada as { id: string }).id };
      const { metadata } = (await core.get(`/appid-${app}/recipe/user/metadata`, query)).body;
      const { roles } = (await core.get(`/appid-${app}/recipe/user/roles`, query)).body;
      expect(metadata).toMatchObject(system.metadata ?? {});
      expect(roles).toEqual(expect.arrayContaining([...(system.roles ?? [])]));
    });
  });
}

interface UserView {
  readonly emails: readonly string[];
  readonly loginMethods: readonly { readonly email?: string; readonly verified: boolean }[];
}
