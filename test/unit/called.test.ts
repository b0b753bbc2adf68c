import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { calledBy } from '../../src/process/called.ts';

test.each([
  [
    'npx',
    { npm_command: 'exec', CARRYOVER_STARTED_AS: '/x/node_modules/.bin/carryover' },
    'npx --no carryover',
  ],
  [
    'a folder of the PATH',
    { PATH: '/bin:/opt/bin', CARRYOVER_STARTED_AS: '/opt/bin/carryover' },
    'carryover',
  ],
  ['its path', { PATH: '/bin', CARRYOVER_STARTED_AS: './bin/carryover' }, './bin/carryover'],
  ['a path with a blank', { PATH: '/bin', CARRYOVER_STARTED_AS: '/a b/carryover' }, "'/a b/carryover'"],
])('a command that was started by %s prints commands that begin so', (_, environment, name) => {
  expect(calledBy({ isClone: true, program: '/x/src/cli.ts', environment })).toBe(name);
});

test('one that Node was given is called by Node', () => {
  const program = '/opt/carryover/bin/carryover.mjs';
  expect(calledBy({ isClone: false, program, environment: {} })).toBe(`node ${program}`);
  expect(calledBy({ isClone: false, program: '/x/dist/src/cli.js', environment: {} })).toBe('carryover');
});

test('the script says how it was started: what the help prints can be run where it is printed', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-called-'));
  try {
    const script = path.join(folder, 'carryover');
    symlinkSync(fileURLToPath(new URL('../../bin/carryover', import.meta.url)), script);
    const environment = { ...process.env, npm_command: '' };
    const run = (command: string, more: Record<string, string> = {}) =>
      execFileSync('sh', ['-c', command], {
        cwd: folder,
        env: { ...environment, ...more },
        encoding: 'utf8',
      });
    expect(run('./carryover jobs --help')).toContain('\n  ./carryover jobs');
    expect(run(`${script} jobs --help`)).toContain(`\n  ${script} jobs`);
    const onPath = run('carryover jobs --help', { PATH: `${folder}:${process.env.PATH ?? ''}` });
    expect(onPath).toContain('\n  carryover jobs');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
