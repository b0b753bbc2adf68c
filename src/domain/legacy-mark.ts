/**
 * Stored instead of a hash for a user whose password only the old system knows, so that a reset, a change, an imported hash or
 * the first sign-in replaces it. No accepted hash begins like it.
 */
const start = '$legacy$';

export type LegacyKind = `legacy:${string}`;
const kindStart = 'legacy:';

/** @param source its name, see isSourceName */
export function legacyMark(source: string): string {
  return start + source;
}

/** @param stored a hash or a mark @returns the name of the source that is asked, undefined for a hash */
export function markedSource(stored: string | null | undefined): string | undefined {
  return stored?.startsWith(start) === true ? stored.slice(start.length) : undefined;
}

export function legacyKind(source: string): LegacyKind {
  return `${kindStart}${source}`;
}

/** @returns the name of the source, undefined for a kind of hash */
export function sourceOfKind(kind: string): string | undefined {
  return kind.startsWith(kindStart) ? kind.slice(kindStart.length) : undefined;
}

export function isMark(column: string): string {
  return `${column} ^@ '${start}'`;
}
