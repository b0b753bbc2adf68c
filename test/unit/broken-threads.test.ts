/** Threads whose code cannot be loaded, as in a damaged installation, or while it is being replaced. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { threadsLoaded } from '../../src/threads/loading.ts';
import { startThreads, type Threads, type ThreadsOptions } from '../../src/threads/piscina.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-threads-'));
  file = path.join(folder, 'double.mjs');
});
beforeEach(() => {
  writeFileSync(file, 'export default (number) => 2 * number;');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const start = (options: Partial<ThreadsOptions> = {}): Threads<number, number> =>
  startThreads({ file: pathToFileURL(file), count: 2, maxQueue: 10, ...options });

const broken = {
  'a syntax error': ['export default (;', 'Unexpected token'],
  'an import of a missing file': ["import './gone.mjs';", 'Cannot find module .*gone\\.mjs'],
  'an import of a missing package': ["import 'gone-package';", "Cannot find package 'gone-package'"],
  'a missing export': ["import { gone } from 'node:fs';", "does not provide an export named 'gone'"],
  'an error at its start': ["throw new Error('no such library');", 'no such library'],
} as const;

describe.each(Object.entries(broken))('of a file with %s', (_, [code, reason]) => {
  const failure = (): unknown => ({
    name: 'LoadError',
    message: expect.stringMatching(
      new RegExp(`^A thread cannot load ${file}: .*${reason}.*\\. Install carryover again`),
    ) as string,
  });

  test('each task rejects with the file, the reason and the cure, and the threads end', async () => {
    writeFileSync(file, code);
    const onThreadError = vi.fn();
    const threads = start({ onThreadError });
    const tasks = await Promise.allSettled([1, 2, 3, 4].map((number) => threads.run(number)));
    expect(tasks).toMatchObject(Array(4).fill({ status: 'rejected', reason: failure() }));
    await expect(threads.loaded).rejects.toMatchObject(failure() as object);
    await expect(threads.run(5)).rejects.toMatchObject(failure() as object);
    await threads.close();
    await threadsLoaded();
  });

  test('without a task, that is reported, and the threads end', async () => {
    writeFileSync(file, code);
    const onThreadError = vi.fn();
    const threads = start({ onThreadError, startsWith: 1 });
    await expect(threads.loaded).rejects.toMatchObject(failure() as object);
    expect(onThreadError).toHaveBeenCalledWith(expect.objectContaining(failure() as object));
    await threads.close();
  });
});

test('threads that end while they load are reported with their exit code', async () => {
  writeFileSync(file, 'process.exit(7);');
  const threads = start();
  await expect(threads.loaded).rejects.toThrow('it ended with exit code 7');
  await threads.close();
});

test('tasks succeed again once the file is repaired', async () => {
  writeFileSync(file, 'export default (;');
  const threads = start();
  await expect(threads.run(1)).rejects.toMatchObject({ name: 'LoadError' });
  await expect(threads.loaded).rejects.toMatchObject({ name: 'LoadError' });
  writeFileSync(file, 'export default (number) => 2 * number;');
  expect(await Promise.all([1, 2, 3, 4].map((number) => threads.run(number)))).toEqual([2, 4, 6, 8]);
  await threads.close();
});
