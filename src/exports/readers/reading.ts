/** Options that state properties of a file which it does not show itself. */

import type { Encoding } from './bytes/encodings.ts';
import type { Names } from './names.ts';

export interface Reading {
  readonly encoding?: Encoding | undefined;
  /** csv: the names of the columns of the users' file, which has no header row. */
  readonly columns?: readonly string[] | undefined;
  /** For a dump: the table of the users. */
  readonly table?: string | undefined;
  /** For the users' file. */
  readonly names?: Names | undefined;
}
