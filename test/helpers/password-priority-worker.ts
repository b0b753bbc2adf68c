/** The worker of passwords; in place of a new hash, the niceness of its own thread afterwards. */
import { getPriority } from 'node:os';
import { runPasswordTask } from '../../workers/password.ts';
import type { PasswordTask } from '../../workers/protocol.ts';
import { timed } from '../../workers/timed.ts';

export default timed(runAndTell);

function runAndTell(task: PasswordTask): unknown {
  const result = runPasswordTask(task);
  return task.type === 'hash' ? String(getPriority()) : result;
}
