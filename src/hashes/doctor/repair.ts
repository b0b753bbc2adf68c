/** What a row of the table of repairs is. */

import type { HashLimits } from '../../domain/model.ts';
import type { HashSecrets } from '../kind.ts';
import type { HashKindName, ParsedHash } from '../registry.ts';

/** A hash as it stands, without what is stated of the password before it, with all that it is verified with. */
export interface Subject {
  readonly hash: string;
  readonly given: HashKindName | undefined;
  /** UTF-8; empty when none was given. */
  readonly password: Buffer;
  readonly limits: HashLimits;
  readonly secrets: HashSecrets;
  /** undefined when it cannot be read as it stands. */
  readonly parsed: ParsedHash | undefined;
}

/** What is different; the rest is the subject's. */
export interface Variant {
  /** Is parsed and checked against the limits like any other. */
  readonly hash?: string;
  /** With `hash` or alone: the kind that is named. */
  readonly given?: HashKindName | undefined;
  /** At the cost of the subject's. */
  readonly parsed?: ParsedHash;
  readonly password?: Buffer;
  /** What `password` was made by, as an import states it: the cure. */
  readonly passwordAs?: string;
  readonly secrets?: HashSecrets;
}

export interface Repair {
  readonly name: string;
  /** The field or setting to change. */
  readonly parameter: string;
  /** The cure, as a sentence. */
  readonly advice: string;
  readonly variants: (subject: Subject) => readonly Variant[];
}
