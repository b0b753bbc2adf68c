import '../src/process/node-20.ts';
import { parseStoredHash } from '../src/hashes/recognise.ts';
import { hashArgon2id } from '../src/hashes/verify/argon2.ts';
import { hashBcrypt } from '../src/hashes/verify/bcrypt.ts';
import { examine } from '../src/hashes/verify/examine.ts';
import { verifyParsed } from '../src/hashes/verify/verifiers.ts';
import type { HashPolicy } from '../src/domain/model.ts';
import { planOf } from '../src/hashes/doctor/plan.ts';
import { lowerPriority, niceness } from './niceness.ts';
import { outcomesOf } from './outcomes.ts';
import type { Outcome, PasswordResult, PasswordTask, VerifyTask } from '../src/hashes/tasks.ts';

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
  return task.type === 'verify' ? verify(task, password) : hashBy(task.policy, password);
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
