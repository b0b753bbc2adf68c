/** The worker of passwords; instead of a new hash, it returns the niceness of its thread. */
import { getPriority } from 'node:os';
import runPasswordTasks from '../../workers/password.ts';
import { outcomesOf } from '../../workers/outcomes.ts';
import type { Outcome, PasswordTask } from '../../src/hashes/tasks.ts';

export default function runAndTell(tasks: readonly PasswordTask[]): readonly Outcome<unknown>[] {
  runPasswordTasks(tasks);
  return outcomesOf(tasks, () => String(getPriority()));
}
