/** Whether a person may sign in at the source, as its exports say it; undefined where one says nothing. */

import type { SecondFactor } from '../../../imports/model.ts';

export { type Disabled, disabledIf, disabledUntil } from '../../fields/disabled.ts';

/** A flag that says who may sign in: `enabled`, `active`. */
export function disabledUnless(flag: boolean | undefined): boolean | undefined {
  return flag === undefined ? undefined : !flag;
}

// Second factors whose secrets an export lacks, or has in a form that the core does not keep: they are counted.

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
