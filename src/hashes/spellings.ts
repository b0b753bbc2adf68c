/** Finds a hash's kind by its beginning: one look-up in a map, whatever the number of kinds. */

import type { Parser } from './kind.ts';
import { statedIn } from './transforms/transforms.ts';
import { isKind, kindNames, rowOf, type HashKindName, type ParsedHash } from './registry.ts';

/** The result of looking up a mark and a name. */
export interface Spelling {
  readonly kind: HashKindName;
  readonly parse: Parser<ParsedHash>;
}

/** Longest mark: a delimiter further on ends something else. */
const markCharactersLimit = 40;

/**
 * The prefix of a stored hash that does not show its kind: this, its kind's name, `$`, and the original hash. So the stored
 * string alone determines its verification, including what was stated at the import.
 */
export const tag = '$carryover$';

const spellings: ReadonlyMap<string, Spelling> = new Map(
  kindNames.flatMap((kind) => rowOf(kind).spellings.map(([mark, parse]) => [mark, { kind, parse }] as const)),
);

/** Beginnings without a mark in the map, each with the first spelling of its kind. */
const beginnings: readonly (readonly [start: string, spelling: Spelling])[] = kindNames.flatMap((kind) => {
  const {
    beginning,
    spellings: [first],
  } = rowOf(kind);
  return beginning === undefined || first === undefined
    ? []
    : [[beginning, { kind, parse: first[1] }] as const];
});

/** The spelling with the beginning of `hash`, undefined if no spelling begins so. */
export function spellingOf(hash: string): Spelling | undefined {
  const found = spellings.get(markOf(hash));
  if (found !== undefined) return found;
  return beginnings.find(([start]) => hash.startsWith(start))?.[1];
}

/** `$x$`, `{x}` in lower case (RFC 2307 schemes are case-insensitive), `x$` or `x:`; empty when it has no such start. */
function markOf(hash: string): string {
  const start = hash.slice(0, markCharactersLimit);
  if (start.startsWith('{')) return start.slice(0, start.indexOf('}') + 1).toLowerCase();
  for (let index = 1; index < start.length; index += 1) {
    const character = start[index];
    if (character === '$' || (character === ':' && !start.startsWith('$'))) return start.slice(0, index + 1);
  }
  return '';
}

/** The kind and the hash inside a tag, undefined for a hash without one; kind undefined when the tag names none. */
export function untagged(hash: string): { kind: HashKindName | undefined; hash: string } | undefined {
  if (!hash.startsWith(tag)) return undefined;
  const end = hash.indexOf('$', tag.length);
  const name = hash.slice(tag.length, Math.max(end, tag.length));
  const kind = isKind(name) && rowOf(name).parseUnmarked !== undefined ? name : undefined;
  return { kind, hash: hash.slice(end + 1) };
}

/** `hash` under a tag of `kind`. */
export function tagged(kind: HashKindName, hash: string): string {
  return `${tag}${kind}$${hash}`;
}

/** The kind whose beginning a hash has although an import has to name it; undefined for all others. */
export function kindToName(hash: string): HashKindName | undefined {
  const kind = spellingOf(statedIn(hash).hash)?.kind;
  return kind !== undefined && rowOf(kind).mustBeNamed !== undefined ? kind : undefined;
}
