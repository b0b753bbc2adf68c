import { rowOf } from '../kinds.ts';
import type { HashKind } from '../parsed.ts';
import { spellingOf } from '../recogniser.ts';

/** The kind that a hash tells although an import has to name it; undefined for all others. */
export function toldKind(hash: string): HashKind | undefined {
  const kind = spellingOf(hash)?.kind;
  return kind !== undefined && rowOf(kind).mustBeNamed === true ? kind : undefined;
}
