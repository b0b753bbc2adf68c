import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createOnce, unlessCode } from '../process/secret-file.ts';
import { StartupError } from '../process/startup-error.ts';
import { startOf } from '../process/process-start.ts';

const ATTEMPTS = 10;

/**
 * Takes `<dataDir>/carryover.pid` for this process. The file holds the pid and the start time; a lock of a process that has
 * ended, even if its pid is reused, is replaced.
 * @returns the function that releases the lock
 * @throws StartupError naming the pid of the live core that holds it
 */
export async function takeLock(dataDir: string): Promise<() => Promise<void>> {
  const file = path.join(dataDir, 'carryover.pid');
  const own = `${process.pid} ${startOf(process.pid) ?? ''}`.trim();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await createOnce(file, own)) return () => release(file, own);
    const holder = await readLock(file);
    if (holder === undefined) continue;
    refuseLive(holder, dataDir);
    await removeStale(file, holder);
  }
  throw new StartupError(`${file}: other cores keep taking it: start only one core on this data_dir`);
}

async function readLock(file: string): Promise<string | undefined> {
  return (await readFile(file, 'utf8').catch(unlessCode('ENOENT')))?.trim();
}

function refuseLive(holder: string, dataDir: string): void {
  const [pid = '', start = ''] = holder.split(' ');
  const running = Number(pid) > 0 ? startOf(Number(pid)) : undefined;
  if (running !== undefined && (running === start || running === '' || start === ''))
    throw new StartupError(
      `${dataDir} is in use by the core with pid ${pid}: stop that one or set another DATA_DIR`,
    );
}

/**
 * Two starts may find the same lock stale, and the slower one must not remove the faster one's new lock: it renames the file,
 * checks what it has, and restores it if it is another one.
 */
async function removeStale(file: string, judged: string): Promise<void> {
  const moved = `${file}.${randomBytes(6).toString('hex')}`;
  const isMoved = await rename(file, moved).then(() => true, unlessCode('ENOENT'));
  if (isMoved !== true) return;
  if ((await readLock(moved)) !== judged) await link(moved, file).catch(unlessCode('EEXIST'));
  await rm(moved, { force: true });
}

async function release(file: string, own: string): Promise<void> {
  if ((await readLock(file)) === own) await rm(file, { force: true });
}
