/** Digests of digests: combinations of a password and a salt that neither a template nor an iteration describes. */

import type { HashLimits } from '../../domain/model.ts';
import { malformed, type HashKind, type Outcome } from '../kind.ts';
import { overCeiling, saltBytesLimit } from '../limits.ts';
import { anotherPassword, otherSalt } from '../parts/causes.ts';
import { digestsOf, parseConstruction, textOfCall, type DigestCall } from '../parts/construction.ts';
import { damaged, digestBytes, digestStateBytes, longSalt } from '../parts/digested.ts';
import { decodeBase64 } from '../parts/encodings.ts';

export interface ParsedConstruction {
  readonly kind: 'construction';
  readonly call: DigestCall;
  readonly salt: Buffer;
  /** As long as the outer digest. */
  readonly expected: Buffer;
}

/** Milliseconds of one digest of a short text by node:crypto, and its hexadecimal digits. */
const hexDigestMs = 1.5e-3;

const mark = '$construction$';
const form = `${mark}<construction>$salt$hash, salt and hash in base64`;

/** The spelling of such a hash. @param salt its bytes, which may be empty */
export function constructed(call: DigestCall, salt: Buffer, hash: Buffer): string {
  return `${mark}${textOfCall(call)}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

function parse(hash: string, limits: HashLimits): Outcome<ParsedConstruction> {
  const parts = hash.split('$');
  const [, , text = '', saltText = '', hashText = ''] = parts;
  if (parts.length !== 5) return malformed(`it must be ${form} and has too few or too many parts`);
  const construction = parseConstruction(text);
  if (typeof construction === 'string') return malformed(construction);
  if (construction.is !== 'digest' || construction.salt !== 'text')
    return malformed('its construction is not one of digests');
  const { digest, terms, iterations } = construction;
  const call = { digest, terms, iterations };
  if (digestsOf(call) > limits.digestMaxIterations) return overCeiling('digestMaxIterations', limits);
  const salt = saltText === '' ? Buffer.alloc(0) : decodeBase64(saltText, 'padded');
  if (salt === undefined) return malformed(`it must be ${form}`);
  if (salt.length > saltBytesLimit) return longSalt;
  const expected = decodeBase64(hashText, 'padded');
  if (expected?.length !== digestBytes[digest]) return damaged;
  return { ok: true, parsed: { kind: 'construction', call, salt, expected } };
}

export const construction: HashKind<ParsedConstruction> = {
  label: 'Digest of digests',
  spellings: [[mark, parse]],
  bytes: () => digestStateBytes,
  work: ({ call }) => digestsOf(call) * hexDigestMs,
  // A text in it may be a secret of the app.
  cost: ({ call }) => ({ construction: textOfCall(call, () => "'…'") }),
  isWeak: () => true,
  isCertain: () => true,
  causes: () => [anotherPassword, otherSalt, 'The app made its hashes in another way (--hash-as).'],
};
