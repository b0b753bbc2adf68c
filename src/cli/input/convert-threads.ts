import { availableParallelism } from 'node:os';
import type { ConvertPool } from '../../exports/convert/ports.ts';
import { createConvertPool } from '../../threads/convert-pool.ts';

/** Runs `work` with threads that convert, and ends them with it. One core is left for sending, and for a core on the same machine. */
export async function withConvertPool<Result>(work: (pool: ConvertPool) => Promise<Result>): Promise<Result> {
  const pool = createConvertPool({ threads: Math.max(1, availableParallelism() - 1) });
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}
