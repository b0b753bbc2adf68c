/** Addresses of places that cannot be meant: the core does not start, and says what is wrong and the cure. */
import { afterEach, describe, expect, it } from 'vitest';
import { createPlace } from '../helpers/apart.ts';
import { startTestCore } from '../helpers/core.ts';
import { importUser, newEmail } from '../helpers/people.ts';
import { inDatabase, newAppIn } from '../helpers/places.ts';
import type { TestDatabase } from '../helpers/postgres.ts';

const made: TestDatabase[] = [];
afterEach(async () => {
  await Promise.all(made.splice(0).map((database) => database.drop()));
});

async function place(): Promise<TestDatabase> {
  const database = await createPlace();
  made.push(database);
  return database;
}

async function starts(first: TestDatabase, second?: TestDatabase): Promise<string> {
  try {
    const core = await startTestCore({ database: first, ...(second && { otherPlace: second }) });
    await core.close();
    return 'started';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a core does not start', () => {
  it('with the place of another installation', async () => {
    const [first, second, another] = [await place(), await place(), await place()];
    expect(await starts(first, second)).toBe('started');
    expect(await starts(another, second)).toBe(
      "places: the database of 'second' belongs to another installation: give an empty database",
    );
    expect(await starts(first, second)).toBe('started');
  });

  it('with a database that has users of its own', async () => {
    const [first, second] = [await place(), await place()];
    const core = await startTestCore({ database: second });
    await importUser(core, newEmail());
    await core.close();
    expect(await starts(first, second)).toBe(
      "places: the database of 'second' already has apps or users of its own: give an empty database",
    );
  });

  it('with the first place twice', async () => {
    const first = await place();
    expect(await starts(first, first)).toBe(
      "places: 'second' has the address of the first place, or of a copy of it: give an empty database",
    );
  });

  it('with the address of another of its places', async () => {
    const [first, second] = [await place(), await place()];
    expect(await starts(first, second)).toBe('started');
    await inDatabase(second, (sql) => sql`update place set name = 'third'`);
    expect(await starts(first, second)).toBe(
      "places: the address of 'second' is that of the place 'third': correct one of the two",
    );
  });

  it('over a place that is not the first', async () => {
    const [first, second] = [await place(), await place()];
    expect(await starts(first, second)).toBe('started');
    expect(await starts(second)).toBe(
      "The database of 'postgresql_connection_uri' is the place 'second': give the address of the first place, and this one under 'places'",
    );
  });

  it('without a place that has an app', async () => {
    const [first, second] = [await place(), await place()];
    const core = await startTestCore({ database: first, otherPlace: second });
    const { appId } = await newAppIn(core, 'second');
    await core.close();
    expect(await starts(first)).toBe(
      `The app '${appId}' is in the place 'second', which the setting 'places' lacks: add it`,
    );
  });

  it('with two cores that join it at once, each as its own', async () => {
    const [first, another, second] = [await place(), await place(), await place()];
    const outcomes = await Promise.all([starts(first, second), starts(another, second)]);
    expect(outcomes.sort()).toEqual([
      "places: the database of 'second' belongs to another installation: give an empty database",
      'started',
    ]);
  });
});
