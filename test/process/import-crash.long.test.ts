/**
 * The program is killed in the middle of imports, repeatedly, at points that depend on their progress. The result must be that of
 * undisturbed imports.
 *
 * CRASH_POINTS: the number; see long-runs.ts. CRASH_SEED: the points; it is printed when the test fails.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { removeSpentClaims } from '../../src/store/imports/claims.ts';
import { committed, drained, type UploadClient, uploadClient, uriOf } from '../helpers/bulk-client.ts';
import { randomNumbers } from '../helpers/bulk-files.ts';
import { openStage, type Stage } from '../helpers/bulk-stage.ts';
import { key } from '../helpers/bulk-stand.ts';
import { faultsOf } from '../helpers/bulk-tables.ts';
import { testEncryptionKey } from '../helpers/imports.ts';
import { addressOf, type Program, runMain } from '../helpers/process.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';

const points = countOf(longRuns.importCrash);
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const random = randomNumbers(seed);
const lines = 2000;
/** Kills of one import, which has about ten chunks. */
const killsOfOne = 6;

let stage: Stage;
const programs = new Set<Program>();

beforeAll(async () => {
  stage = await openStage({ lines });
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`CRASH_SEED=${seed}\n`);
});
afterAll(async () => {
  await Promise.all([...programs].map((program) => program.end('SIGKILL')));
  await stage.dispose();
});

function start(): Program {
  const program = runMain({
    environment: {
      API_KEYS: key,
      ENCRYPTION_KEYS: testEncryptionKey,
      POSTGRESQL_CONNECTION_URI: uriOf(stage.database.connection),
      IMPORT_CHUNK_BYTES: '65536',
    },
  });
  programs.add(program);
  return program;
}

/** A core that can be killed; the next one starts meanwhile. */
class Victim {
  #program = start();
  #next = start();

  async client(): Promise<UploadClient> {
    const address = await addressOf(this.#program);
    await this.#program.printed(/"msg":"ready"/);
    return uploadClient(Number(new URL(address).port));
  }

  async kill(): Promise<void> {
    expect(await this.#program.end('SIGKILL')).toEqual([null, 'SIGKILL']);
    programs.delete(this.#program);
    this.#program = this.#next;
    this.#next = start();
  }
}

/** Sends the rest of a file and kills the core on the way. @returns whether the import was still under way */
async function interrupt(victim: Victim, path: string, file: Buffer): Promise<boolean> {
  const client = await victim.client();
  const from = await client.offset(path);
  const to = from + Math.ceil(random() * 0.6 * (file.length - from));
  const byCommit = random() < 0.5;
  const turns = Math.floor(random() * 60);
  const wire = await client.patch(path, from, file.length - from);
  wire.send(file.subarray(from, byCommit ? file.length : to));
  if (byCommit) await committed(stage.database.connection, path, to);
  else await drained(wire);
  for (let i = 0; i < turns; i++) await turn();
  await victim.kill();
  await wire.closed;
  return stage.isReceiving(path);
}

const options = [
  '?onConflict=update&receipt=true',
  '?onConflict=skip',
  '?dryRun=true&receipt=true',
  '?onConflict=reject&receipt=true',
];

test(
  `killed ${points} times, imports come to what they come to undisturbed`,
  async () => {
    const victim = new Victim();
    const undisturbed = new Map<string, object>();
    for (const query of options) undisturbed.set(query, await stage.undisturbed(query));
    let killed = 0;
    for (let round = 0; killed < points; round++) {
      const place = await stage.newPlace();
      const query = options[round % options.length] ?? '';
      const path = await (await victim.client()).create(place.app, place.file.length, query);
      for (let here = 0; killed < points && here < killsOfOne; here++) {
        if (!(await interrupt(victim, path, place.file))) break;
        killed++;
      }
      await (await victim.client()).resume(path, place.file);
      // Killed after the last line: a request starts the rest, and does not wait for it.
      await expect.poll(() => stage.isReceiving(path)).toBe(false);
      // The sweep's work for a job whose core died directly after the last commit.
      await removeSpentClaims(stage.store.database);
      expect(await stage.outcomeOf(place, path)).toEqual(undisturbed.get(query));
    }
    expect(await faultsOf(stage.database.connection)).toEqual([]);
  },
  300_000 + points * 10_000,
);
