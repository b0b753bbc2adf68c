/** Hashes of a known password, like a given one. */
import { expect, it } from 'vitest';
import { storedKind } from '../../src/hashes/recognise.ts';
import { makeHash } from '../../src/hashes/verify/make.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';

const digest = 'Ci15uRb1eH7NAlJ/TgeJertyknQpYn2';

it.each([
  ['a salt of one repeated character', `$2y$04$${'.'.repeat(22)}${digest}`],
  ['a salt and a digest that are alike', `$2b$04$${'u'.repeat(53)}`],
  ['a short salt that its digest contains', `$1$aaaaaaaa$${'a'.repeat(21)}.`],
])('are made although it has %s', (_, hash) => {
  const kind = storedKind(hash);
  if (kind === undefined) throw new Error(`${hash} is of no kind`);
  const model = { hash, kind, limits: defaultLimits, secrets: { signerKey: undefined } };
  const made = makeHash(model, Buffer.from('known'), true) ?? '';
  expect(made).toHaveLength(hash.length);
  expect(made.startsWith(hash.slice(0, 3))).toBe(true);
  expect(made.slice(-digest.length)).not.toBe(hash.slice(-digest.length));
});
