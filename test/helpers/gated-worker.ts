/**
 * A password worker for a whole core. A password that begins with `hold` waits at the gate in the environment data; `exit` ends
 * the thread, `throw` throws. Every other password is right.
 */
import { getEnvironmentData } from 'node:worker_threads';
import { outcomesOf } from '../../workers/outcomes.ts';
import type { Outcome, PasswordTask } from '../../src/hashes/tasks.ts';

export const gateName = 'carryover-test-gate';

export default function runTasks(
  tasks: readonly PasswordTask[],
): readonly Outcome<boolean | string | number>[] {
  return outcomesOf(tasks, run);
}

function run({ type, password = '' }: PasswordTask): boolean | string | number {
  if (password === 'exit') process.exit(7);
  if (password === 'throw') throw new Error('worker threw');
  if (password.startsWith('hold')) {
    const gate = new Int32Array(getEnvironmentData(gateName) as unknown as SharedArrayBuffer);
    Atomics.add(gate, 0, 1);
    Atomics.notify(gate, 0);
    Atomics.wait(gate, 1, 0);
  }
  if (type === 'weigh') return 0;
  return type === 'hash' ? '$2b$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2' : true;
}
