import { randomBytes } from 'node:crypto';
import type { HashPolicy } from '../../../domain/model.ts';
import { createPasswordPool, type PasswordPool } from '../../../threads/password-pool.ts';
import { widestLimits } from '../../../config/tenant-settings.ts';
import type { HashGroup } from '../hash-groups.ts';
import type { Survey } from '../survey.ts';

/** A group with the cost of one verification here. */
export interface MeasuredGroup extends HashGroup {
  /** ms of one core's time while all cores are busy. */
  readonly cpuMs: number;
  /** Otherwise derived from a measured group. */
  readonly isMeasured: boolean;
}

export interface HashCalibration {
  readonly groups: readonly MeasuredGroup[];
  /** ms of one core's time to compute a hash by the policy, and so to verify one. */
  readonly policyMs: number;
}

export interface HashCalibrationOptions {
  /** For all groups together. */
  readonly seconds: number;
  readonly threads: number;
  readonly memoryBudgetBytes: number;
  readonly policy: HashPolicy;
  readonly signal: AbortSignal;
}

const coveredShare = 0.95;
const maxMeasured = 10;
/** Estimated ms above which a hash is not tried: it would use up the whole calibration. */
const maxWorkMs = 5000;

/**
 * Verifies hashes of the file with a wrong password, in the threads of a core, all of them busy. Groups of few users are derived
 * by their estimated work from a measured one, of the same kind if there is one.
 */
export async function calibrateHashes(
  { groups, secrets }: Pick<Survey, 'groups' | 'secrets'>,
  options: HashCalibrationOptions,
): Promise<HashCalibration> {
  const { threads, memoryBudgetBytes, policy, signal } = options;
  const pool = createPasswordPool({ threads, memoryBudgetBytes, policy, queueLimit: threads * 4 });
  try {
    const chosen = chooseGroups(groups);
    const measure = meter(pool, { threads, signal, seconds: options.seconds / (chosen.length + 1) });
    const policyMs = await measure(() => pool.hash(wrongPassword()));
    const times = new Map<HashGroup, number>();
    const context = { limits: widestLimits, ...contextOf(secrets) };
    for (const each of chosen) {
      let tried = 0;
      const sample = (): string => each.samples[tried++ % each.samples.length] ?? '';
      times.set(each, await measure(() => pool.verify(wrongPassword(), sample(), context)));
    }
    return { policyMs, groups: groups.map((each) => withTime(each, times)) };
  } finally {
    await pool.close();
  }
}

function contextOf({ signerKey, pepper }: Survey['secrets']) {
  return { signerKey: signerKey && Buffer.from(signerKey), pepper: Buffer.from(pepper) };
}

/** The most frequent ones that can be tried, until they cover nearly all users. @param groups the most frequent first */
export function chooseGroups(groups: readonly HashGroup[]): readonly HashGroup[] {
  const possible = groups.filter(({ work }) => work <= maxWorkMs);
  const users = possible.reduce((sum, each) => sum + each.users, 0);
  const chosen: HashGroup[] = [];
  let covered = 0;
  for (const each of possible) {
    if (chosen.length === maxMeasured || covered >= users * coveredShare) break;
    chosen.push(each);
    covered += each.users;
  }
  return chosen;
}

/** @param times ms of the measured groups */
export function withTime(each: HashGroup, times: ReadonlyMap<HashGroup, number>): MeasuredGroup {
  const own = times.get(each);
  if (own !== undefined) return { ...each, cpuMs: own, isMeasured: true };
  const measured = [...times.keys()];
  const like = measured.find(({ kind }) => kind === each.kind) ?? measured[0];
  const factor = like ? (times.get(like) ?? like.work) / like.work : 1;
  return { ...each, cpuMs: each.work * factor, isMeasured: false };
}

/** @returns a function that measures the ms of CPU of one task while all threads are busy */
function meter(
  pool: Pick<PasswordPool, 'gauges'>,
  { threads, seconds, signal }: { threads: number; seconds: number; signal: AbortSignal },
): (task: () => Promise<unknown>) => Promise<number> {
  return async (task) => {
    // Once for each thread, which loads its code.
    await Promise.all(Array.from({ length: pool.gauges.threads }, task));
    const until = performance.now() + seconds * 1000;
    const before = process.cpuUsage();
    let done = 0;
    const keepBusy = async (): Promise<void> => {
      do {
        signal.throwIfAborted();
        await task();
        done += 1;
      } while (performance.now() < until);
    };
    // One more waits than runs, so that no thread is idle between two tasks.
    await Promise.all(Array.from({ length: threads + 1 }, keepBusy));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / done;
  };
}

function wrongPassword(): string {
  return randomBytes(9).toString('base64url');
}
