/** The script as it is called, with a stand-in for Vitest. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
/** Starts a process as a test starts a core, and waits for the signal. */
const vitest = `#!${process.execPath}
const { spawn } = require('node:child_process');
const core = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'inherit' });
core.on('spawn', () => console.log('begun'));
setInterval(() => undefined, 1000);
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-faults-'));
  await writeFile(path.join(folder, 'vitest'), vitest);
  await chmod(path.join(folder, 'vitest'), 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends what it has started, and begins nothing more',
  async (signal) => {
    const child = spawn(process.execPath, [main, 'import-crash', 'group-crash'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: folder },
    });
    const lines: string[] = [];
    const begun = Promise.withResolvers<undefined>();
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      if (line === 'begun') begun.resolve(undefined);
    });
    // Its output is open as long as one of its processes is there.
    const closed = once(child, 'close');
    await begun.promise;
    child.kill(signal);
    expect(await closed).toEqual([130, null]);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['300', 'begun']);
  },
);
