import os from 'node:os';

export const bytesPerMiB = 1_048_576;

/**
 * Bytes of memory: the machine's, or its control group's (v1 or v2) if that is less. Without a limit Node returns 0, or a number
 * far above any machine.
 */
export function availableMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
}

/**
 * `shared_buffers` of an embedded PostgreSQL, MiB: an eighth of the memory. PostgreSQL's default of 128 is too much for
 * containers below 1 GiB, because a page once used stays in memory.
 */
export function sharedBuffersMb(memoryBytes: number): number {
  return Math.round(Math.min(Math.max(memoryBytes / bytesPerMiB / 8, 32), 2048));
}
