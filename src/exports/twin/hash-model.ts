/** The hash by which those of a class are made, without what it has of the app's secrets. */

import { widestLimits } from '../../config/tenant-settings.ts';
import { parseHash } from '../../hashes/recognise.ts';
import { asTyped, statedBeside, statedIn, stating } from '../../hashes/transforms/transforms.ts';
import type { HashClass, TwinRules } from './tasks.ts';
import type { Replacer } from './values.ts';

/** With the forms of its password before it. Texts in forms and constructions are replaced, and so is a signer key. */
export function modelOf(
  { hash, kind, passwordTransforms = asTyped }: HashClass,
  { madeUp }: Pick<TwinRules, 'madeUp'>,
  values: Replacer,
): string {
  const { forms, hash: bare } = statedIn(hash);
  const replaced = kind === 'construction' ? withOtherTexts(bare, values) : withSignerKey(bare, kind, madeUp);
  const inside = forms === undefined ? replaced : stating(values.transforms(forms), replaced);
  const stated = statedBeside(inside, values.transforms(passwordTransforms));
  return typeof stated === 'string' ? stated : inside;
}

/** A made hash as its field has it: forms that are in a field next to it are not in the hash. */
export function spelledLike({ hash }: Pick<HashClass, 'hash'>, made: string): string {
  return statedIn(hash).forms === undefined ? statedIn(made).hash : made;
}

/** The texts in quotes of a construction, which may be secrets of the app. */
function withOtherTexts(hash: string, values: Replacer): string {
  return hash.replaceAll(/'([^']*)'/g, (_, text: string) => `'${values.text(text)}'`);
}

/** Some spellings contain the project's signer key. */
function withSignerKey(hash: string, kind: HashClass['kind'], { signerKey }: TwinRules['madeUp']): string {
  const result = parseHash(hash, kind, widestLimits);
  if (!result.ok || result.parsed.kind !== 'provider_scrypt') return hash;
  const carried = result.parsed.signerKey;
  if (carried === undefined || signerKey === undefined) return hash;
  const made = Buffer.from(signerKey).toString('base64');
  return hash.replace(carried, carried.endsWith('=') ? made : made.replaceAll('=', ''));
}
