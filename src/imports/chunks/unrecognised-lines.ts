/** Some lines of a chunk, without those between them. */
export interface SomeLines {
  readonly bytes: Uint8Array;
  /** By their order: physical lines within the chunk, from 1. */
  readonly lines: readonly number[];
}

/**
 * All lines but those that are recognised: of a chunk of thousands they may be a few.
 * @param starts where each physical line begins
 * @param recognised physical lines, from 1
 */
export function unrecognisedLines(
  bytes: Uint8Array,
  starts: Uint32Array,
  recognised: ArrayLike<number>,
): SomeLines {
  const isRecognised = new Uint8Array(starts.length + 1);
  for (const line of Array.from(recognised)) isRecognised[line] = 1;
  const lines: number[] = [];
  for (let line = 1; line <= starts.length; line++) if (isRecognised[line] === 0) lines.push(line);
  return { bytes: Buffer.concat(lines.map((line) => bytes.subarray(starts[line - 1], starts[line]))), lines };
}
