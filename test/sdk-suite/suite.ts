import { access } from 'node:fs/promises';
import type { Result } from './judge.ts';

/** The suite of one SDK. */
export interface Suite {
  readonly name: 'go' | 'node' | 'python';
  /** Of the SDK, as its expected failures name it: `24` of Node's, `0.31` of Python's, `0.25` of Go's. */
  readonly version: string;
  /** The required port of the core, if the suite has a fixed one. */
  readonly corePort?: number;
  /** Its parts, each run as one process and shown as one row of the table. */
  readonly directories: readonly string[];
  run(part: Part): Promise<Result[]>;
}

export interface Part {
  readonly directory: string;
  readonly core: URL;
  readonly limitMs: number;
  /** Ends it: `run` rejects then. */
  readonly signal: AbortSignal;
}

/** The name of the row for tests in the suite's own folder. */
export const top = 'root';

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** @param pattern its first group is the version */
export function versionIn(text: string, pattern: RegExp): string {
  const version = pattern.exec(text)?.[1];
  if (version === undefined) throw new Error(`the checkout does not state its version: ${pattern.source}`);
  return version;
}
