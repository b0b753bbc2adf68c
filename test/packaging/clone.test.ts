/** A clone without its development packages, and so without the Node that runs it. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let clone: string;

beforeEach(async () => {
  clone = await mkdtemp(path.join(tmpdir(), 'carryover-clone-'));
  await Promise.all(
    ['bin', 'packaging', 'package.json'].map((name) =>
      cp(path.join(root, name), path.join(clone, name), { recursive: true }),
    ),
  );
  for (const folder of ['src', 'path', 'node_modules/commander'])
    await mkdir(path.join(clone, folder), { recursive: true });
  await writeFile(path.join(clone, 'src/cli.ts'), '');
});
afterEach(() => rm(clone, { recursive: true }));

/** The Node on the PATH: whether it strips types; it prints its arguments. */
async function putNode(strips: boolean): Promise<void> {
  const node = path.join(clone, 'path/node');
  const answer = strips ? 'exit 0' : 'exit 1';
  await writeFile(node, `#!/bin/sh\nif [ "$1" = -e ]; then ${answer}; fi\necho "runs $*"\n`);
  await chmod(node, 0o755);
}

function run(command: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const env = { PATH: `${path.join(clone, 'path')}:/usr/bin:/bin` };
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', command], { cwd: clone, env }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
}

async function startScript(): Promise<string> {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return `${scripts.start} --config a.yaml`;
}

describe('a clone without its own Node', () => {
  it('says in one line what to install, at npm start and at each command', async () => {
    await putNode(false);
    for (const command of [await startScript(), 'bin/carryover help'])
      expect(await run(command)).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^carryover: packages are missing.*run 'npm ci' in \S+, without --omit=dev\n$/,
        ) as string,
      });
  });

  it('runs with one on the PATH that strips types', async () => {
    await putNode(true);
    expect((await run(await startScript())).stdout).toBe('runs src/main.ts --config a.yaml\n');
    expect((await run('bin/carryover help')).stdout).toMatch(/^runs .*src\/cli\.ts help\n$/);
  });
});
