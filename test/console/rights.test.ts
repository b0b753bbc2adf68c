/** Runs end with the key or the session that began them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digest } from '../../src/domain/digests.ts';
import { StagedFiles } from '../../src/features/console/files.ts';
import { Runs } from '../../src/features/console/runs.ts';
import type { Run } from '../../src/features/console/model.ts';
import { KeyRing } from '../../src/process/keys/key-ring.ts';
import { withoutKey } from '../../src/domain/access/key-holder.ts';

const key = 'a-key-that-may-import-for-a-while';
const named = [{ name: 'importer', scopes: ['import'] as const, digests: [digest(key)] }];

let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-console-'));
  program = path.join(folder, 'waits.mjs');
  await writeFile(program, 'setInterval(() => undefined, 60_000);\n');
});
afterAll(() => rm(folder, { recursive: true }));

interface World {
  readonly ring: KeyRing;
  readonly runs: Runs;
  readonly begin: (isPresent?: () => Promise<boolean>) => Promise<Run>;
  readonly stateOf: (run: Run) => Promise<Run>;
}

/** Runs of a command that does not end, which look for their rights at once. */
async function within(work: (world: World) => Promise<void>): Promise<void> {
  const ring = new KeyRing({ apiKeys: [], named });
  const base = await mkdtemp(path.join(folder, 'data-'));
  const files = new StagedFiles(path.join(base, 'files'));
  const runs = new Runs({
    files,
    base: path.join(base, 'runs'),
    url: () => 'http://localhost:1',
    grant: (holder) => ring.grant(holder),
    now: Date.now,
    program: [program],
    lookMs: 10,
  });
  const { id } = await files.write('public', 'users.ndjson', '{}\n');
  const begin = (isPresent?: () => Promise<boolean>): Promise<Run> => {
    const holder = isPresent === undefined ? (ring.holderOf(key) ?? withoutKey) : withoutKey;
    return runs.start({ input: { kind: 'inspect', files: [id] }, appId: 'public', holder, isPresent });
  };
  try {
    await work({ ring, runs, begin, stateOf: (run) => runs.find('public', run.id) });
  } finally {
    await runs.close();
  }
}

describe('a run', () => {
  it('ends when the key that began it is revoked, and so does one that waits', async () => {
    await within(async ({ ring, begin, stateOf }) => {
      const running = await begin();
      const waiting = await begin();
      expect([running.state, waiting.state]).toEqual(['running', 'waiting']);
      ring.replace({ apiKeys: [], named: [] });
      for (const run of [running, waiting])
        await expect.poll(() => stateOf(run)).toMatchObject({ state: 'ended', exitCode: 130 });
      expect((await stateOf(waiting)).said).toContain('session of importer that began it is no longer valid');
    });
  });

  it('continues while its key is there, also after others were changed', async () => {
    await within(async ({ ring, runs, begin, stateOf }) => {
      const run = await begin();
      ring.replace({ apiKeys: ['another-key-of-this-core'], named });
      let looks = 0;
      await begin(() => Promise.resolve(++looks < 3));
      await expect.poll(() => looks).toBe(3);
      expect(await stateOf(run)).toMatchObject({ state: 'running' });
      runs.stop('public', run.id);
      await expect.poll(() => stateOf(run)).toMatchObject({ state: 'ended' });
    });
  });

  it('of a dashboard user ends with the session, and not because the database is away', async () => {
    await within(async ({ begin, stateOf }) => {
      let looks = 0;
      const run = await begin(() => {
        looks += 1;
        return looks < 3 ? Promise.reject(new Error('away')) : Promise.resolve(false);
      });
      await expect.poll(() => stateOf(run)).toMatchObject({ state: 'ended', exitCode: 130 });
      expect(looks).toBe(3);
    });
  });
});
