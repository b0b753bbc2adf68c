/**
 * A password worker controlled by the password: `exit` ends its thread, `throw` throws; anything else waits at the gate that was
 * passed as signer key (shared memory), if there is one. See gate.ts for the other side.
 */

import { outcomesOf } from '../../workers/outcomes.ts';
import type { Outcome, PasswordTask } from '../../src/hashes/tasks.ts';

export default function runTasks(tasks: readonly PasswordTask[]): readonly Outcome<boolean | string>[] {
  return outcomesOf(tasks, run);
}

function run(task: PasswordTask): boolean | string {
  if (task.password === 'exit') process.exit(7);
  if (task.password === 'throw') throw new Error('worker threw');
  if (task.type === 'hash' || task.type === 'like') return 'hashed';
  if (task.signerKey !== undefined) waitAt(new Int32Array(task.signerKey.buffer));
  return true;
}

function waitAt(gate: Int32Array): void {
  Atomics.add(gate, 0, 1);
  Atomics.notify(gate, 0);
  Atomics.wait(gate, 1, 0);
}
