/** Flags that say how a file is written, where it does not show. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { encodingNamed, encodings, type Encoding } from '../../../exports/readers/encodings.ts';
import type { Reading } from '../../../exports/readers/reading.ts';

/** As commander gives them. */
export interface ReadingOptions {
  readonly encoding?: Encoding;
  readonly columns?: readonly string[];
}

export function addReadingOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--encoding <name>',
        `one of ${encodings.join(', ')}; left out: UTF-8, or what a byte order mark says`,
      ).argParser(parseEncoding),
    )
    .addOption(
      new Option(
        '--columns <names>',
        'of CSV without a header row: the names of all its columns in their order, with commas between them; left out: the order of the tables of Laravel and WordPress is known',
      ).argParser(parseColumns),
    );
}

/** undefined where nothing was said. */
export function readingOf({ encoding, columns }: ReadingOptions): Reading | undefined {
  return encoding === undefined && columns === undefined ? undefined : { encoding, columns };
}

function parseEncoding(text: string): Encoding {
  const encoding = encodingNamed(text);
  if (encoding !== undefined) return encoding;
  throw new InvalidArgumentError(`It takes one of ${encodings.join(', ')}.`);
}

function parseColumns(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It takes names with one comma between them.');
  if (new Set(names).size === names.length) return names;
  throw new InvalidArgumentError('It names a column twice.');
}
