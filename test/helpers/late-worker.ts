/** A worker whose modules stop loading at the gate in the environment data. */
import { getEnvironmentData } from 'node:worker_threads';
import { lateGate } from './gate.ts';

const gate = new Int32Array(getEnvironmentData(lateGate) as unknown as SharedArrayBuffer);
Atomics.add(gate, 0, 1);
Atomics.notify(gate, 0);
Atomics.wait(gate, 1, 0);
Atomics.add(gate, 2, 1);

export default function double(number: number): number {
  return 2 * number;
}
