/** Second factors whose secrets an export lacks, or has in a form that the core does not keep: they are counted. */

import type { SecondFactor } from '../../../imports/model.ts';

/** Shorthand: the factor where the source says that the person has it. */
export function factorIf(has: boolean, factor: SecondFactor): readonly SecondFactor[] {
  return has ? [factor] : [];
}

/** By the words of a source; a word that is not in its table is some other factor. */
export function factorNamed(
  names: Readonly<Partial<Record<string, SecondFactor>>>,
  name: string | undefined,
): SecondFactor {
  return (name !== undefined && Object.hasOwn(names, name) ? names[name] : undefined) ?? 'other';
}
