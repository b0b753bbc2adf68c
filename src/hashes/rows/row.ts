import type { Parser } from '../outcome.ts';
import type { HashKind, ParsedByKind } from '../parsed.ts';

/** What the registry knows of a kind. */
export interface KindRow<Parsed extends { readonly kind: HashKind }> {
  /** For messages. */
  readonly label: string;
  /** How its spellings begin, up to the delimiter that ends a mark (see recogniser.ts), each with its parser. */
  readonly spellings: readonly (readonly [mark: string, parse: Parser<Parsed>])[];
  /** Reads a spelling that no mark tells from other kinds: only for a caller that names this kind. */
  readonly parseUnmarked?: Parser<Parsed>;
  /** Its marks say too little, or parameters lie elsewhere: a caller has to name it at import all the same. */
  readonly mustBeNamed?: true;
  /** A kind whose name may be given for this one too. */
  readonly partOf?: HashKind;
  /** Bytes that one verification allocates at its peak. */
  readonly bytes: (parsed: Parsed) => number;
  /** Estimated milliseconds of one verification on one core. */
  readonly work: (parsed: Parsed) => number;
}

export type KindRows = { readonly [Kind in HashKind]: KindRow<ParsedByKind[Kind]> };
