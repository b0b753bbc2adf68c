import { mkdtemp, readFile, rm, symlink, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from '../arguments.ts';
import { requireRun, runToEnd } from './processes.ts';

/** Another commit of the repository, ready to run. */
export interface Worktree {
  readonly folder: string;
  readonly commit: string;
}

export interface WorktreeOptions {
  /** Of the repository. */
  readonly root: string;
  readonly ref: string;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks `ref` out into a temporary folder while `use` runs, and removes it afterwards in any case. The packages are those of
 * `root` if both trees lock the same ones, otherwise they are installed there.
 * @throws UsageError when there is no such commit, or the error of `use`
 */
export async function withWorktree<Result>(
  options: WorktreeOptions,
  use: (worktree: Worktree) => Promise<Result>,
): Promise<Result> {
  const commit = await commitOf(options);
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'carryover-against-'));
  const folder = path.join(temporary, 'tree');
  try {
    // Must not be cut short: git would leave an incomplete tree.
    const args = ['worktree', 'add', '--detach', '--quiet', folder, commit];
    await requireRun({ file: 'git', args, cwd: options.root });
    options.signal?.throwIfAborted();
    await providePackages(folder, options);
    return await use({ folder, commit });
  } finally {
    await removeWorktree(options.root, folder);
    await rm(temporary, { recursive: true, force: true });
  }
}

/** A ref may begin with a hyphen or be a path: it is resolved to a commit's number first. */
async function commitOf({ root, ref }: WorktreeOptions): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, stdout } = await runToEnd({ file: 'git', args, cwd: root });
  if (code !== 0) throw new UsageError(`git knows no commit '${ref}' here.`);
  return stdout.trim();
}

async function providePackages(folder: string, { root, say, signal }: WorktreeOptions): Promise<void> {
  const lock = 'package-lock.json';
  const [own, other] = await Promise.all([root, folder].map((each) => textOf(path.join(each, lock))));
  if (own === other) {
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    return;
  }
  say('that commit locks other packages: installing them');
  await requireRun({ file: 'npm', args: ['ci', '--no-audit', '--no-fund'], cwd: folder, signal });
}

function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** The link first, so that nothing follows it. A tree that was never created does not have to be removed, hence no complaint. */
async function removeWorktree(root: string, folder: string): Promise<void> {
  await unlink(path.join(folder, 'node_modules')).catch(() => undefined);
  await runToEnd({ file: 'git', args: ['worktree', 'remove', '--force', folder], cwd: root });
}
