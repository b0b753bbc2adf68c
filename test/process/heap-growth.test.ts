import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../helpers/collections.ts', import.meta.url));

/** V8 itself adapts to the machine's load: this is the value for a process that mostly waits. */
const idle = '--heap-growing-percent=30';

test('heaps that may grow are collected as a whole less often', async () => {
  const [usual, grown] = [await collections(), await collections('grow')];
  expect(usual).toBeGreaterThan(4);
  expect(grown).toBeLessThan(usual);
});

/** In a separate process: V8's flags apply to a whole process. */
async function collections(...args: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [idle, script, ...args]);
  return (JSON.parse(stdout) as { readonly collections: number }).collections;
}
