import { access } from 'node:fs/promises';
import type { Result } from './judge.ts';

/** The suite of one SDK. */
export interface Suite {
  readonly name: 'node' | 'python';
  /** The parts of it that run as one process each, and one row of the table. */
  readonly directories: readonly string[];
  run(part: Part): Promise<Result[]>;
}

export interface Part {
  readonly directory: string;
  readonly core: URL;
  readonly limitMs: number;
}

/** The name of the row of what lies in the suite's own folder. */
export const top = 'root';

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
