/** Folders in which a command may not write, as in a container, and missing files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileError } from '../../src/cli/command-error.ts';
import { makeStateFolder } from '../../src/cli/state-folder.ts';

const isRoot = process.getuid?.() === 0;
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-file-error-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const readOnly = mkdtempSync(path.join(os.tmpdir(), 'carryover-read-only-'));
const hasReadOnly = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', readOnly]).status === 0;
afterAll(() => {
  if (hasReadOnly) execFileSync('umount', [readOnly]);
  rmSync(readOnly, { recursive: true });
});

describe('a read-only file system', () => {
  test.runIf(hasReadOnly)('is named where a folder is to be made', async () => {
    const said = await messageOf(makeStateFolder({ environment: { HOME: readOnly } }));
    expect(said).toBe(
      `${readOnly}/.local/state/carryover: the file system is read-only: write to another folder. What resume needs is kept there: set XDG_STATE_HOME to a folder that this user may write`,
    );
  });

  test.runIf(hasReadOnly)('is no reason why a file cannot be read', async () => {
    const file = path.join(readOnly, 'users.ndjson');
    const error: unknown = await readFile(file).catch((reason: unknown) => reason);
    expect(fileError(file, error).message).toBe(`${file}: there is no such file`);
  });
});

describe('a folder of another user', () => {
  // The answer depends on the user of the process, and only root can run one as another.
  test.runIf(isRoot)('is named where a folder is to be made in it', () => {
    const closed = path.join(folder, 'closed');
    mkdirSync(closed, { mode: 0o755 });
    const module = path.resolve(import.meta.dirname, '../../src/cli/state-folder.ts');
    const script = `
      import { makeStateFolder } from ${JSON.stringify(module)};
      process.setgid(65534);
      process.setuid(65534);
      await makeStateFolder({ environment: { HOME: ${JSON.stringify(closed)} } }).catch(({ message }) => console.log(message));`;
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    expect(said).toMatch(
      /closed\/.local\/state\/carryover: this user may not write there\. What resume needs/,
    );
  });
});

test('a folder that is not there is named where a file is written, the file where it is read', () => {
  const file = path.join(folder, 'none', 'rejects.ndjson');
  const error = Object.assign(new Error('x'), { code: 'ENOENT' });
  expect([fileError(file, error).message, fileError(file, error, true).message]).toEqual([
    `${file}: there is no such file`,
    `${file}: there is no such folder: make it first`,
  ]);
});
