/** Transforms that the old system may have applied to the password: single steps, and usual combinations. */

import type { StepName } from '../../transforms/steps.ts';
import { asTyped, changedBy, type Form, formsText } from '../../transforms/transforms.ts';
import type { Repair, Subject, Variant } from '../repair.ts';

/** The digests that are used before another hash. */
const digests: readonly StepName[] = [
  'sha256-hex',
  'sha256-base64',
  'sha256-raw',
  'md5-hex',
  'sha1-hex',
  'sha512-hex',
  'sha512-base64',
  'sha384-base64',
  'md5-raw',
  'sha1-raw',
];

/** In the order in which systems apply them; at most one of each row. */
const rows: readonly (readonly StepName[])[] = [
  ['trimmed'],
  ['nfkc', 'nfc', 'nfd', 'nfkd'],
  ['lower-case', 'upper-case', 'lower-case-ascii'],
  ['slashed', 'html', 'html-quotes'],
  ['latin1', 'utf16le'],
  digests,
];

/** Variants by one step each, in their order. */
export function bySteps(...names: readonly StepName[]): Repair['variants'] {
  return ({ password }) =>
    names.flatMap((name) => {
      const changed = changedBy([{ name }], password);
      return changed.equals(password) ? [] : [variantOf({ form: [{ name }], password: changed })];
    });
}

export const byDigest: Repair['variants'] = bySteps(...digests);

/** The typed password: a form was stated although none was applied. */
export function byNone({ password }: Subject): readonly Variant[] {
  return [{ password, passwordAs: asTyped }];
}

interface Changed {
  readonly form: Form;
  readonly password: Buffer;
}

/** Variants by two or more steps, each of which changes something; those with few steps first. */
export function byCombinations({ password }: Subject): readonly Variant[] {
  return rows
    .reduce<readonly Changed[]>(
      (before, row) => [...before, ...before.flatMap((each) => row.flatMap((name) => after(each, name)))],
      [{ form: [], password }],
    )
    .filter(({ form }) => form.length > 1)
    .toSorted((a, b) => a.form.length - b.form.length)
    .map(variantOf);
}

function after({ form, password }: Changed, name: StepName): readonly Changed[] {
  const changed = changedBy([{ name }], password);
  return changed.equals(password) ? [] : [{ form: [...form, { name }], password: changed }];
}

function variantOf({ form, password }: Changed): Variant {
  return { password, passwordAs: formsText([form]) };
}
