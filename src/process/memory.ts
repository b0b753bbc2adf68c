/** The memory that this process may use, and PostgreSQL's part of it. */
import os from 'node:os';

export const bytesPerMiB = 1_048_576;

/**
 * Memory that this process may use, bytes: the machine's, or its control group's (v1 or v2) where that is less.
 * Without a limit Node returns 0, or a number far above any machine.
 */
export function availableMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
}

/**
 * PostgreSQL's `shared_buffers`, MiB, where the core runs its own: an eighth of the memory. PostgreSQL's own default of 128
 * is too much for containers below 1 GiB, as each page that was used once stays in memory.
 */
export function sharedBuffersMb(memoryBytes: number): number {
  return Math.round(Math.min(Math.max(memoryBytes / bytesPerMiB / 8, 32), 2048));
}
