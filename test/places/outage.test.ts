/** A place that is away: only its own apps are refused. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPlace } from '../helpers/apart.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { type DatabaseDoor, openDoor } from '../helpers/database-door.ts';
import { importUser, knownPassword, newEmail, refusalOf, signIn } from '../helpers/people.ts';
import { newAppIn } from '../helpers/places.ts';
import type { TestDatabase } from '../helpers/postgres.ts';

let first: TestDatabase;
let second: TestDatabase;
let doors: Record<'first' | 'second', DatabaseDoor>;
let core: TestCore | undefined;
beforeAll(async () => {
  [first, second] = await Promise.all([createPlace(), createPlace()]);
  doors = { first: await openDoor(first.connection), second: await openDoor(second.connection) };
});
const isShut = new Set<DatabaseDoor>();
afterEach(async () => {
  for (const door of isShut) await open(door);
  await core?.close();
  core = undefined;
});
afterAll(async () => {
  for (const door of Object.values(doors)) await door.remove();
  await Promise.all([first.drop(), second.drop()]);
});

async function shut(door: DatabaseDoor): Promise<void> {
  isShut.add(door);
  await door.shut();
}

async function open(door: DatabaseDoor): Promise<void> {
  isShut.delete(door);
  await door.open();
}

const through = (door: DatabaseDoor, database: TestDatabase): TestDatabase => ({
  connection: door.connection,
  drop: () => database.drop(),
});

async function start(): Promise<TestCore> {
  core = await startTestCore({
    database: through(doors.first, first),
    otherPlace: through(doors.second, second),
    settings: { WAIT_LIMIT_MS: '3000' },
  });
  return core;
}

const signingIn = async (core: TestCore, email: string, app: string): Promise<unknown> => {
  const answer = await core.post(`${app}/recipe/signin`, { email, password: knownPassword });
  return answer.body.status;
};

describe('the second place', () => {
  it('that is away while the core runs is named by /health, and comes back', async () => {
    const core = await start();
    const { app } = await newAppIn(core, 'second');
    const [here, there] = [newEmail(), newEmail()];
    await importUser(core, here);
    await importUser(core, there, app);
    expect((await core.get('/health')).body.places).toEqual([
      expect.objectContaining({ name: 'second', database: 'up' }),
    ]);
    await shut(doors.second);
    await expect.poll(() => signingIn(core, there, app)).toBe('DATABASE_UNAVAILABLE');
    expect(await signIn(core, here, knownPassword)).toBe('OK');
    await expect
      .poll(async () => (await core.get('/health')).body.places)
      .toEqual([expect.objectContaining({ name: 'second', database: 'down' })]);
    const health = await core.get('/health');
    expect([health.http, health.body.ready, health.body.database]).toEqual([200, true, 'up']);
    expect(core.log.join('')).toMatch(/"place":"second".*the database cannot be used/);
    await open(doors.second);
    await expect.poll(() => signingIn(core, there, app)).toBe('OK');
  });

  it('that is away at the start is waited for by its own apps only', async () => {
    const before = await start();
    const { app } = await newAppIn(before, 'second');
    const [here, there] = [newEmail(), newEmail()];
    await importUser(before, here);
    await importUser(before, there, app);
    await before.close();
    await shut(doors.second);
    const core = await start();
    expect(await signIn(core, here, knownPassword)).toBe('OK');
    expect(refusalOf(await core.get(`${app}/users/count`))[1]).toBe('DATABASE_UNAVAILABLE');
    expect((await core.get('/readyz')).http).toBe(200);
    expect(core.log.join('')).toMatch(/"place":"second".*the database cannot be reached yet/);
    await open(doors.second);
    await expect.poll(() => signingIn(core, there, app)).toBe('OK');
  });
});

describe('the first place', () => {
  it('that is away leaves apps of the second one served, of which the core knows', async () => {
    const core = await start();
    const { app } = await newAppIn(core, 'second');
    const [here, there] = [newEmail(), newEmail()];
    await importUser(core, here);
    await importUser(core, there, app);
    await shut(doors.first);
    await expect.poll(() => signingIn(core, here, '')).toBe('DATABASE_UNAVAILABLE');
    expect(await signingIn(core, there, app)).toBe('OK');
    await expect.poll(async () => (await core.get('/readyz')).http).toBe(503);
    await open(doors.first);
    await expect.poll(() => signingIn(core, here, '')).toBe('OK');
  });
});
