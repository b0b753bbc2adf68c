import { hash, timingSafeEqual } from 'node:crypto';
import type { ParsedConstruction } from '../kinds/construction.ts';
import type { DigestCall, DigestForm, Term } from '../parts/construction.ts';

/** Whether `password` has this hash. The comparison takes constant time. */
export function verifyConstruction(parsed: ParsedConstruction, password: Buffer): boolean {
  const { expected } = parsed;
  const computed = constructionOf(parsed, password);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}

/** The digest of `password` with the construction and the salt of a hash. */
export function constructionOf({ call, salt }: ParsedConstruction, password: Buffer): Buffer {
  return compute(call, { password, salt });
}

interface Inputs {
  readonly password: Buffer;
  readonly salt: Buffer;
}

/** The digest's bytes. Each iteration digests the hexadecimal text of the previous one. */
function compute({ digest, terms, iterations }: DigestCall, inputs: Inputs): Buffer {
  let last = hash(digest, Buffer.concat(terms.map((term) => bytesOf(term, inputs))), 'hex');
  for (let round = 1; round < iterations; round++) last = hash(digest, last, 'hex');
  return Buffer.from(last, 'hex');
}

function bytesOf(term: Term, inputs: Inputs): Buffer {
  if (term.is === 'text') return Buffer.from(term.text);
  return term.is === 'digest' ? formed(compute(term.of, inputs), term.as) : inputs[term.is];
}

function formed(digest: Buffer, form: DigestForm): Buffer {
  if (form === 'raw') return digest;
  const text = digest.toString(form === 'base64' ? 'base64' : 'hex');
  return Buffer.from(form === 'upper' ? text.toUpperCase() : text);
}
