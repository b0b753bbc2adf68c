/** What a run is begun with that imports some records of an earlier run. */
import type { RunInput } from './run-model.ts';

/** Rejected records, corrected in the form of their source: without the options that only its own file needed. */
export function ofCorrected(input: RunInput, file: string): RunInput {
  const { table: _table, encoding: _encoding, absent: _absent, canaries: _canaries, ...rest } = input;
  return { ...rest, files: [file] };
}

/** Records that were converted already: of the options only those of their import matter. */
export function ofNative(input: RunInput, file: string, onConflict: string): RunInput {
  const { idPrefix, source, secondFactor } = input;
  return {
    kind: 'import',
    from: 'native',
    files: [file],
    onConflict,
    ...(idPrefix !== undefined && { idPrefix }),
    ...(source !== undefined && { source }),
    ...(secondFactor !== undefined && { secondFactor }),
  };
}
