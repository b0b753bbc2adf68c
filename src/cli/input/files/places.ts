/** The position of a record in several files: the file, and the position in it. */

import path from 'node:path';
import type { FileBeginning } from '../../../exports/convert/ports.ts';

export interface RecordPlace {
  /** The file's path below the folder of all. */
  readonly file: string;
  /** The record in the file, from 1. */
  readonly line: number;
}

/** Learns where each file begins while the files are converted; repetitions change nothing. Memory: two numbers a file. */
export class FilePlaces {
  readonly #names: readonly string[];
  /** Ascending, in the order of the files. */
  readonly #beginnings: FileBeginning[] = [];

  /** @param files absolute, in the order in which they are converted */
  constructor(files: readonly string[]) {
    const folder = folderOf(files);
    this.#names = files.map((file) => path.relative(folder, file));
  }

  add(beginnings: readonly FileBeginning[]): void {
    for (const each of beginnings)
      if (each.file > (this.#beginnings.at(-1)?.file ?? -1)) this.#beginnings.push(each);
  }

  /** @param record its number in the upload, from 1 @returns undefined for one that was not converted here */
  of(record: number): RecordPlace | undefined {
    const beginning = this.#lastBefore(record);
    if (beginning === undefined) return undefined;
    return { file: this.#names[beginning.file] ?? '', line: record - beginning.firstRecord + 1 };
  }

  #lastBefore(record: number): FileBeginning | undefined {
    let [low, high] = [0, this.#beginnings.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#beginnings[middle]?.firstRecord ?? Infinity) <= record) low = middle + 1;
      else high = middle;
    }
    return this.#beginnings[low - 1];
  }
}

/** The folder that all files are below. */
function folderOf(files: readonly string[]): string {
  let folder = path.dirname(files[0] ?? '');
  for (const file of files)
    while (!file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep))
      folder = path.dirname(folder);
  return folder;
}
