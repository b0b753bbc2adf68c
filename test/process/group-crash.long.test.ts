/**
 * One file is sent through three cores, which are killed and paused at random, and so is the sender. The result must be that of an
 * undisturbed import.
 *
 * CRASH_POINTS: the number of kills; see long-runs.ts. CRASH_SEED: the points; it is printed when the test fails.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../src/cli/client/http.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { relay } from '../../src/cli/client/relay.ts';
import { removeSpentClaims } from '../../src/store/imports/claims.ts';
import { randomNumbers } from '../helpers/bulk-files.ts';
import { openStage, type Place, type Stage } from '../helpers/bulk-stage.ts';
import { key } from '../helpers/bulk-stand.ts';
import { faultsOf } from '../helpers/bulk-tables.ts';
import { testEncryptionKey } from '../helpers/imports.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';
import { MortalCore } from '../helpers/mortal-core.ts';
import { relayingOf, sourceOf } from '../helpers/relayed.ts';
import { type Alone, startAlone } from '../helpers/replicated.ts';

const points = countOf(longRuns.groupCrash);
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const random = randomNumbers(seed);
const lines = 2000;
/** Kills of one import, which has about forty parts. */
const killsOfOne = 6;

let server: Alone;
let stage: Stage;
const cores: MortalCore[] = [];

beforeAll(async () => {
  server = await startAlone();
  const environment = { API_KEYS: key, ENCRYPTION_KEYS: testEncryptionKey, IMPORT_CHUNK_BYTES: '65536' };
  for (let n = 0; n < 3; n++)
    cores.push(
      await MortalCore.start([server.uri], ([uri = '']) => ({
        ...environment,
        POSTGRESQL_CONNECTION_URI: uri,
      })),
    );
  await Promise.all(cores.map((core) => core.ready));
  const connection = { host: '127.0.0.1', port: server.port, user: 'core', password: '', database: 'core' };
  stage = await openStage({ lines, database: { connection, drop: () => server.remove() } });
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`CRASH_SEED=${seed}\n`);
});
afterAll(async () => {
  await Promise.all(cores.map((core) => core.end()));
  await stage.dispose();
  await server.remove();
});

const serversFor = ({ appId }: Tenant): Server[] =>
  cores.map(({ url }) => ({ url: new URL(url), apiKey: key, app: appId }));

let killed = 0;

/** One attempt of the sender. It ends with the import, or is killed itself. @returns whether the import has ended */
async function send(id: string, { tenant, file }: Place): Promise<boolean> {
  const sender = new AbortController();
  let nextAt = 1 + Math.floor(random() * 8);
  let here = 0;
  const onPart = async (count: number): Promise<void> => {
    if (count < nextAt || killed >= points || here >= killsOfOne) return;
    nextAt = count + 1 + Math.floor(random() * 8);
    here++;
    killed++;
    for (let turns = random() * 60; turns > 0; turns--) await turn();
    disturb(sender);
  };
  const relaying = relayingOf(serversFor(tenant), sender.signal, onPart);
  try {
    await relay({ ...relaying, patienceMs: 60_000, id, source: sourceOf(file) });
    return true;
  } catch (error) {
    if (!sender.signal.aborted) throw error;
    return false;
  }
}

function disturb(sender: AbortController): void {
  const core = cores[Math.floor(random() * cores.length)];
  const at = random();
  if (at < 0.15) sender.abort();
  else if (at < 0.3) void core?.pause(random() * 1500);
  else void core?.kill();
}

const jobs = [
  { onConflict: 'update', dryRun: false },
  { onConflict: 'skip', dryRun: false },
  { onConflict: 'update', dryRun: true },
  { onConflict: 'reject', dryRun: false },
] as const;

test(
  `disturbed ${points} times, a file that several cores import comes to what it comes to undisturbed`,
  async () => {
    const undisturbed: object[] = [];
    for (const { onConflict, dryRun } of jobs)
      undisturbed.push(await stage.undisturbed(`?onConflict=${onConflict}&dryRun=${dryRun}`));
    for (let round = 0; killed < points; round++) {
      const place = await stage.newPlace();
      const job = jobs[round % jobs.length] ?? jobs[0];
      const { signal } = new AbortController();
      const id = await relayingOf(serversFor(place.tenant), signal).tus.create(
        { ...job, name: '', secondFactor: 'flag', length: place.file.length },
        signal,
      );
      while (!(await send(id, place)));
      await expect.poll(() => stage.isReceiving(id)).toBe(false);
      // The sweep's work for a job whose core died directly after the last commit.
      await removeSpentClaims(stage.store.database);
      expect(await stage.outcomeOf(place, id)).toEqual(undisturbed[round % jobs.length]);
      await Promise.all(cores.map((core) => core.ready));
    }
    expect(await faultsOf(stage.database.connection)).toEqual([]);
  },
  300_000 + points * 10_000,
);
