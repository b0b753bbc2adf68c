/** A core over two places, each a database of its own. */
import type postgres from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { createPlace } from './apart.ts';
import { type Answer, startTestCore, type TestCore, type TestCoreOptions } from './core.ts';
import { type TestDatabase, withAdmin } from './postgres.ts';

/** With the core's tables in the search path. */
export function inDatabase<Result>(
  { connection }: Pick<TestDatabase, 'connection'>,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  return withAdmin(connection, async (sql) => {
    await sql`set search_path to carryover`;
    return work(sql);
  });
}

export interface TwoPlaces {
  readonly core: TestCore;
  readonly first: TestDatabase;
  readonly second: TestDatabase;
  /** Another core over the same places. */
  another(options?: TestCoreOptions): Promise<TestCore>;
}

/** Called once, at the top of a file. @param receive is called before the first test */
export function useTwoPlaces(receive: (used: TwoPlaces) => void): void {
  let used: TwoPlaces | undefined;
  beforeAll(async () => {
    const [first, second] = await Promise.all([createPlace(), createPlace()]);
    const another: TwoPlaces['another'] = (options) =>
      startTestCore({ ...options, database: first, otherPlace: second });
    used = { first, second, another, core: await another() };
    receive(used);
  });
  afterAll(async () => {
    await used?.core.stop();
    await Promise.all([used?.first.drop(), used?.second.drop()]);
  });
}

let apps = 0;

/** @returns the beginning of its paths, and its name */
export async function newAppIn(
  core: TestCore,
  place: string | undefined,
): Promise<{ readonly app: string; readonly appId: string; readonly answer: Answer }> {
  const appId = `${place ?? 'usual'}-${++apps}`;
  const answer = await core.put('/recipe/multitenancy/app/v2', { appId, ...(place && { place }) });
  return { app: `/appid-${appId}`, appId, answer };
}

/** Users of each app by name, in a database. */
export function usersIn(database: TestDatabase): Promise<Readonly<Record<string, number>>> {
  return inDatabase(database, async (sql) => {
    const rows = await sql<{ app: string; users: number }[]>`
      select a.app_id as app, count(*)::int as users from users u join apps a using (app_no) group by 1`;
    return Object.fromEntries(rows.map(({ app, users }) => [app, users]));
  });
}
