import { availableParallelism } from 'node:os';
import type { ConvertPool } from '../../exports/convert/ports.ts';
import { createConvertPool } from '../../threads/convert-pool.ts';

/** Starts the threads that convert exports. One CPU core is left for sending, and for a core on the same machine. */
export function startConvertThreads(): ConvertPool {
  return createConvertPool({ threads: Math.max(1, availableParallelism() - 1) });
}
