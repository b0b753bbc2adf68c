/** The type of a row in the table of repairs. */

import type { HashLimits } from '../../domain/model.ts';
import type { HashSecrets } from '../kind.ts';
import type { HashKindName, ParsedHash } from '../registry.ts';

/** An unchanged hash, without the password forms stated before it, and everything that its verification needs. */
export interface Subject {
  readonly hash: string;
  readonly given: HashKindName | undefined;
  /** UTF-8; empty when none was given. */
  readonly password: Buffer;
  readonly limits: HashLimits;
  readonly secrets: HashSecrets;
  /** undefined when it cannot be read unchanged. */
  readonly parsed: ParsedHash | undefined;
}

/** The differences; everything else is the subject's. */
export interface Variant {
  /** Parsed and checked against the limits like any other. */
  readonly hash?: string;
  /** With `hash` or alone: the kind to name. */
  readonly given?: HashKindName | undefined;
  /** With the cost of the subject's. */
  readonly parsed?: ParsedHash;
  readonly password?: Buffer;
  /** The forms that made `password`, as an import states them: the cure. */
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
