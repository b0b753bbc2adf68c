/** The worker of passwords; in place of a new hash, the niceness of its own thread afterwards. */
import { getPriority } from 'node:os';
import run from '../../workers/password.ts';
import type { PasswordTask } from '../../workers/protocol.ts';

export default function runAndTell(task: PasswordTask): unknown {
  const result = run(task);
  return task.type === 'hash' ? String(getPriority()) : result;
}
