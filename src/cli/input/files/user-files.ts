/** The files of users of an input: one, or several that make one import. */

import path from 'node:path';
import { bytes, plural } from '../../output/format.ts';
import type { KnownFile } from './known-file.ts';
import { FilePlaces } from './places.ts';
import type { Several } from './several.ts';

interface UserFiles {
  readonly file: KnownFile;
  readonly several?: Several | undefined;
}

/** In their order. */
export function userFilesOf({ file, several }: UserFiles): readonly KnownFile[] {
  return [file, ...(several?.more ?? [])];
}

/** Of all together. */
export function bytesIn(input: UserFiles): number {
  return userFilesOf(input).reduce((sum, known) => sum + known.bytes, 0);
}

/** How large they are, and how many where there may be several. */
export function sizeText(input: UserFiles, inBytes = bytes): string {
  const size = inBytes(bytesIn(input));
  return input.several ? `${plural(userFilesOf(input).length, 'file')}, ${size}` : size;
}

/** To say of a record in which file it stands; undefined where one file was named. */
export function placesIn(input: UserFiles): FilePlaces | undefined {
  return input.several && new FilePlaces(userFilesOf(input).map((known) => known.path));
}

/** What they are called together. */
export function labelOf([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** What the job is called: without the way to its files. */
export function nameOf(given: readonly string[], folder: string): string {
  return labelOf(given.map((each) => path.basename(path.resolve(folder, each))));
}
