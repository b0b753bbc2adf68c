import '../src/process/node-20.ts';
import { parseStoredHash, storedKind } from '../src/hashes/recognise.ts';
import { hashArgon2id } from '../src/hashes/verify/argon2.ts';
import { hashBcrypt } from '../src/hashes/verify/bcrypt.ts';
import { examine } from '../src/hashes/verify/examine.ts';
import { makeHash } from '../src/hashes/verify/make.ts';
import { verifyParsed } from '../src/hashes/verify/verifiers.ts';
import { hashLimitsBy } from '../src/config/tenant-settings.ts';
import type { HashPolicy } from '../src/domain/model.ts';
import { planOf } from '../src/hashes/doctor/plan.ts';
import { lowerPriority, niceness } from './niceness.ts';
import { outcomesOf } from './outcomes.ts';
import type { LikeTask, Outcome, PasswordResult, PasswordTask, VerifyTask } from '../src/hashes/tasks.ts';

/** Of hashes that were accepted. */
const noCeilings = hashLimitsBy(() => Number.MAX_SAFE_INTEGER);

/** Runs tasks of the password pool sequentially. Everything here blocks, hence the thread. */
export default function runPasswordTasks(
  tasks: readonly PasswordTask[],
): readonly Outcome<PasswordResult<PasswordTask>>[] {
  lowerPriority(niceness.password);
  return outcomesOf(tasks, runPasswordTask);
}

function runPasswordTask(task: PasswordTask): PasswordResult<PasswordTask> {
  if (task.type === 'weigh') return planOf(task).memoryBytes;
  if (task.type === 'examine') return examine(task);
  const password = Buffer.from(task.password, 'utf8');
  if (task.type === 'like') return hashLike(task, password);
  return task.type === 'verify' ? verify(task, password) : hashBy(task.policy, password);
}

function hashLike({ model: hash, ...secrets }: LikeTask, password: Buffer): string {
  const kind = storedKind(hash);
  const made = kind && makeHash({ hash, kind, limits: noCeilings, secrets }, password, false);
  if (made === undefined) throw new Error('no hash like this one can be made');
  return made;
}

function verify(task: VerifyTask, password: Buffer): boolean {
  // Limits are checked again right before the cost arises, so unchecked stored hashes are refused here.
  const result = parseStoredHash(task.hash, task.limits);
  return result.ok && verifyParsed(result.parsed, password, task);
}

function hashBy(policy: HashPolicy, password: Buffer): string {
  return policy.algorithm === 'ARGON2'
    ? hashArgon2id(password, policy)
    : hashBcrypt(password, policy.logRounds, policy.prefix);
}
