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

/** The total size. */
export function bytesIn(input: UserFiles): number {
  return userFilesOf(input).reduce((sum, known) => sum + known.bytes, 0);
}

/** Their size, and their number if there may be several. */
export function sizeText(input: UserFiles, inBytes = bytes): string {
  const size = inBytes(bytesIn(input));
  return input.several ? `${plural(userFilesOf(input).length, 'file')}, ${size}` : size;
}

/** Finds the file of a record; undefined if one file was named. */
export function placesIn(input: UserFiles): FilePlaces | undefined {
  return input.several && new FilePlaces(userFilesOf(input).map((known) => known.path));
}

/** Their common label. */
export function labelOf([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** The job's name: without the path to its files. */
export function nameOf(given: readonly string[], folder: string): string {
  return labelOf(given.map((each) => path.basename(path.resolve(folder, each))));
}
