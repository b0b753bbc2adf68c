/** Whether a person may sign in at the source, according to its exports; undefined if unknown. */

import type { SecondFactor } from '../../../imports/model.ts';

export { type Disabled, disabledIf, disabledUntil } from '../../fields/disabled.ts';

/** A flag for users who may sign in: `enabled`, `active`. */
export function disabledUnless(flag: boolean | undefined): boolean | undefined {
  return flag === undefined ? undefined : !flag;
}

// Second factors whose secrets an export lacks, or has in a form that the core cannot store: they are counted.

/** Shorthand: the factor if the source states that the person has it. */
export function factorIf(has: boolean, factor: SecondFactor): readonly SecondFactor[] {
  return has ? [factor] : [];
}

/** By the words of a source; an unlisted word is some other factor. */
export function factorNamed(
  names: Readonly<Partial<Record<string, SecondFactor>>>,
  name: string | undefined,
): SecondFactor {
  return (name !== undefined && Object.hasOwn(names, name) ? names[name] : undefined) ?? 'other';
}
