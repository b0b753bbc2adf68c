/** One upload through several cores: the import ends as through one, also if cores stop in the middle. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Server } from '../../src/cli/client/http.ts';
import { relay } from '../../src/cli/client/relay.ts';
import type { Tenant } from '../../src/domain/model.ts';
import type { Reject } from '../../src/imports/model.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { holdAt } from '../helpers/held-imports.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { person, textOf } from '../helpers/imports.ts';
import { ledgerOf } from '../helpers/ledger.ts';
import { tablesOf } from '../helpers/merging.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { relayingOf, sourceOf } from '../helpers/relayed.ts';
import { openStoreOn, type TestStore } from '../helpers/store.ts';
import { withTestKey } from '../helpers/use-core.ts';

let database: TestDatabase;
let store: TestStore;
let place: Place;

beforeAll(async () => {
  database = await createMigratedDatabase();
  [store, place] = await Promise.all([openStoreOn(database.connection), makePlace()]);
});
afterAll(async () => {
  await Promise.all([store.dispose(), place.remove()]);
  await database.drop();
});

async function startCores(count: number): Promise<TestCore[]> {
  const cores = await Promise.all(Array.from({ length: count }, () => startTestCore({ database })));
  onTestFinished(async () => {
    await Promise.all(cores.map((core) => core.stop()));
  });
  return cores;
}

const people = (from: number, count: number) => Array.from({ length: count }, (_, n) => person(from + n));
/** Users meet again a part later, at the other end of the file, and in one that is here already. */
const lines = [
  ...people(0, 700),
  ...people(650, 100),
  '{ not JSON',
  ...people(800, 700),
  ...people(0, 20),
  ...people(1500, 700),
];
const file = Buffer.from(textOf(lines));

interface Relayed {
  readonly cores: readonly TestCore[];
  readonly isLengthKnown?: boolean;
  /** Called with the number of parts that were sent. */
  readonly onPart?: (count: number) => Promise<void> | void;
}

/** The outcome of the file in an app of its own. */
async function imported({ cores, isLengthKnown = true, onPart }: Relayed): Promise<object> {
  const tenant = await store.newApp();
  const servers = cores.map(({ url }): Server => ({
    url: new URL(url),
    apiKey: testApiKey,
    app: tenant.appId,
  }));
  const { signal } = new AbortController();
  const relaying = relayingOf(servers, signal, onPart);
  const source = sourceOf(file, isLengthKnown);
  const job = { name: '', onConflict: 'update', dryRun: false, secondFactor: 'flag', receipt: true } as const;
  const id = await relaying.tus.create({ ...job, length: source.length }, signal);
  await relay({ ...relaying, id, source });
  return outcomeOf(tenant, id, cores);
}

async function outcomeOf(tenant: Tenant, id: string, cores: readonly TestCore[]): Promise<object> {
  const path = `/appid-${tenant.appId}/bulk-import/jobs/${id}`;
  const answers = await Promise.allSettled(cores.map((core) => core.get(path)));
  const answer = answers.find((each) => each.status === 'fulfilled')?.value;
  const { created, updated, unchanged, rejected, state, bytes } = (
    answer?.body as { job: Record<string, unknown> }
  ).job;
  const rejects = await store.sql<Pick<Reject, 'line' | 'code'>>(
    'select line, code from import_rejects where job_id = $1 order by line',
    [id],
  );
  return {
    counts: { created, updated, unchanged, rejected, state, bytes },
    rejects,
    ledger: await ledgerOf(store, id),
    tables: await tablesOf(store.sql, tenant),
  };
}

describe('an upload through three cores', () => {
  it('ends as through one, with its length known or not', async () => {
    const cores = await startCores(3);
    const whole = await imported({ cores: cores.slice(0, 1) });
    expect(whole).toMatchObject({
      counts: { created: 2150, rejected: 71, state: 'done', bytes: file.length },
    });
    let parts = 0;
    const onPart = (count: number): void => void (parts = count);
    expect(await imported({ cores, onPart })).toEqual(whole);
    expect(parts).toBeGreaterThan(20);
    expect(await imported({ cores, isLengthKnown: false })).toEqual(whole);
  });

  it.each([
    [1, 2],
    [4, 5],
    [7, 15],
  ])('goes on without cores that stop at parts %i and %i', async (one, other) => {
    const cores = await startCores(4);
    const whole = await imported({ cores: cores.slice(3) });
    const [first, second] = cores;
    const onPart = (count: number): void => {
      if (count === one) void first?.close();
      if (count === other) void second?.close();
    };
    expect(await imported({ cores: cores.slice(0, 3), onPart })).toEqual(whole);
  });

  it('loses a core that stops at once, although the part before its own is not imported yet', async () => {
    const cores = await startCores(3);
    const whole = await imported({ cores });
    const holder = await holdAt(database.connection, 'users');
    onTestFinished(() => holder.release());
    const over = imported({ cores });
    await holder.held(1);
    // One core holds the first part. So one of these two at least only waits.
    await Promise.race(cores.slice(1).map((core) => core.close()));
    await holder.release();
    expect(await over.catch(String)).toEqual(whole);
  });
});

describe('carryover import with several addresses', () => {
  it('sends parts through all cores that answer, and asks any for the outcome', async () => {
    const cores = await startCores(2);
    const app = await store.newApp();
    await place.write('users.ndjson', file);
    const urls = [...cores.map(({ url }) => url), 'http://127.0.0.1:9'].join(',');
    const run = ['import', 'users.ndjson', '--yes', '--url', urls, '--app', app.appId];
    const { stdout, stderr, code } = await place.run(run, withTestKey);
    expect(stderr).toContain('http://127.0.0.1:9 takes no part: nothing listens there');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('2,150') as string });
  });

  it('resumes through all of them', async () => {
    const cores = await startCores(2);
    const app = await store.newApp();
    await place.write('users.ndjson', file);
    const holder = await holdAt(database.connection, 'users');
    onTestFinished(() => holder.release());
    const urls = cores.map(({ url }) => url).join(',');
    const running = place.start(
      ['import', 'users.ndjson', '--yes', '--url', urls, '--app', app.appId],
      withTestKey,
    );
    await holder.held(1);
    running.kill();
    await running.ended;
    await holder.release();
    await cores[0]?.close();
    const { stdout, stderr, code } = await place.run(['resume', '--yes'], withTestKey);
    expect(stderr).toContain(`${cores[0]?.url ?? ''} takes no part`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('2,150') as string });
  });

  it('refuses a core with another database, before anything is sent', async () => {
    const [core] = await startCores(1);
    const other = await startTestCore();
    onTestFinished(() => other.stop());
    await place.write('users.ndjson', file);
    const run = ['import', 'users.ndjson', '--yes', '--url', `${core?.url ?? ''},${other.url}`];
    const { stderr, code } = await place.run(run, withTestKey);
    expect(stderr).toContain(`The core at ${other.url} does not know this import`);
    expect(stderr).toContain('same database');
    expect(code).not.toBe(0);
    const listed = await place.run(['jobs', '--json', '--url', core?.url ?? ''], withTestKey);
    expect(JSON.parse(listed.stdout)).toMatchObject({ jobs: [{ lines: 0 }] });
  });

  it('refuses an address that is given twice', async () => {
    const run = ['import', 'users.ndjson', '--yes', '--url', 'http://127.0.0.1:9,http://127.0.0.1:9/'];
    const { stderr } = await place.run(run, withTestKey);
    expect(stderr).toContain('http://127.0.0.1:9 is given twice');
  });
});
