/** Lines of a chunk by themselves. */
export interface OtherLines {
  readonly bytes: Uint8Array;
  /** By their order: physical lines within the chunk, from 1. */
  readonly lines: readonly number[];
}

/**
 * All lines but those that are known: of a chunk of thousands they may be a few.
 * @param starts where each physical line begins
 * @param known physical lines, from 1
 */
export function othersOf(bytes: Uint8Array, starts: Uint32Array, known: ArrayLike<number>): OtherLines {
  const isKnown = new Uint8Array(starts.length + 1);
  for (const line of Array.from(known)) isKnown[line] = 1;
  const lines: number[] = [];
  for (let line = 1; line <= starts.length; line++) if (isKnown[line] === 0) lines.push(line);
  return { bytes: Buffer.concat(lines.map((line) => bytes.subarray(starts[line - 1], starts[line]))), lines };
}
