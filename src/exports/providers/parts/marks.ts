/** Recognises a file by the fields that its provider declares, in any spelling of their names. */

import { type Field, type Fields, folded } from '../../fields/declare.ts';
import type { Provider, Sample } from '../provider.ts';

/** Fields, by their names in the declaration, that a file of the provider has. */
export interface Marks<Name extends string> {
  /** How certain it is that such a file is the provider's, as in `recognises`. */
  readonly score: number;
  readonly all: readonly Name[];
  /** And at least one of these. */
  readonly any?: readonly Name[];
}

/** `recognises` of a provider whose files are recognised by their columns alone: the first marks that a file has count. */
export function recognisedBy<F extends Fields>(
  fields: F,
  ...marks: readonly Marks<keyof F & string>[]
): Provider['recognises'] {
  return (sample) => {
    const has = fieldsIn(sample, fields);
    return marks.find(({ all, any }) => has(...all) && (any?.some((name) => has(name)) ?? true))?.score ?? 0;
  };
}

/**
 * Whether the first record has all of some fields, each under its usual name: further names belong to other versions and tools,
 * and perhaps to another system, too.
 */
export function fieldsIn<F extends Fields>(
  sample: Sample,
  fields: F,
): (...wanted: readonly (keyof F & string)[]) => boolean {
  const names = namesOf(sample);
  return (...wanted) => wanted.every((name) => names.has(folded(fields[name]?.names[0] ?? '')));
}

/** Whether the first record has the field under any of its names. */
export function hasField(sample: Sample, field: Field): boolean {
  const names = namesOf(sample);
  return field.names.some((name) => names.has(folded(name)));
}

/** The folded names of a sample's first record: of its header row in CSV. */
export function namesOf({ format, columns, first }: Sample): ReadonlySet<string> {
  return new Set((format === 'csv' ? columns : Object.keys(first)).map(folded));
}
