import { readFile } from 'node:fs/promises';
import type { Suite } from './suite.ts';

/** A test that is known to fail, and why that is not the core's fault, or is accepted. */
export interface Expected {
  readonly suite: Suite['name'];
  /** Of the SDK, as in `Suite`. */
  readonly versions: readonly string[];
  readonly file: string;
  readonly test: string;
  readonly reason: string;
  /** It needs a name of the internet, and its error does not show that: with internet access, it passes. */
  readonly needsInternet?: boolean;
}

/** The expectations for the suite of one version. */
export async function readExpected({ name, version }: Pick<Suite, 'name' | 'version'>): Promise<Expected[]> {
  return (await readAllExpected()).filter(
    ({ suite, versions }) => suite === name && versions.includes(version),
  );
}

/** The whole list. */
export async function readAllExpected(): Promise<Expected[]> {
  const text = await readFile(new URL('expected-failures.json', import.meta.url), 'utf8');
  return JSON.parse(text) as Expected[];
}
