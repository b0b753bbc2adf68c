/** Digests without any cost to speak of: bare, salted, by a template, iterated. */

import type { HashLimits } from '../domain/model.ts';
import { decodeBase64, decodeHex } from './binary.ts';
import { saltBytesLimit } from './ceilings.ts';
import { readDecimal } from './decimal.ts';
import type { DigestOptions } from './digested.ts';
import { digested, longSalt } from './digested.ts';
import { overCeiling } from './limits.ts';
import { malformed } from './outcome.ts';
import type { Fault, Outcome, Parser } from './outcome.ts';
import { readParameters } from './parameters.ts';
import type { Parameters } from './parameters.ts';
import type { ParsedDigest } from './parsed.ts';
import { piecesOfEncoded } from './template.ts';
import type { DigestName } from './template.ts';

const form =
  '$<digest>$hash or $<digest>$pf=<template>[,i=<iterations>][,pe=<utf8 or utf16le>]$salt$hash, in base64';

/** A bare digest in hexadecimal digits: needs its kind's name, because other kinds look alike. */
export function parseHexDigest<Kind extends DigestName>(kind: Kind): Parser<ParsedDigest<Kind>> {
  return (hash) => digested({ kind, digest: kind, pieces: ['password'], expected: decodeHex(hash) });
}

/** Django's `md5$salt$hex` and `sha1$salt$hex` of salt ‖ password, the salt as text. */
export function parseDjangoDigest<Kind extends DigestName>(kind: Kind): Parser<ParsedDigest<Kind>> {
  return (hash) => {
    const parts = hash.split('$');
    const [, salt = '', text = ''] = parts;
    if (parts.length !== 3)
      return malformed(`it must be ${kind}$salt$hash and has too few or too many parts`);
    if (salt.length > saltBytesLimit) return longSalt;
    return digested({
      kind,
      digest: kind,
      pieces: [Buffer.from(salt), 'password'],
      expected: decodeHex(text),
    });
  };
}

/**
 * Ory Kratos's `$sha256$hash` and `$sha256$pf=<template>$salt$hash`, padded base64 throughout. Two parameters are
 * ours, for the fields of other systems: `i`, iterations of the digest, and `pe`, the password's encoding.
 */
export function parseTemplateDigest<Kind extends DigestName>(kind: Kind): Parser<ParsedDigest<Kind>> {
  return (hash, limits) => {
    const parts = hash.split('$').slice(2);
    const [first = '', salt = '', text = ''] = parts;
    if (parts.length === 1) {
      const expected = decodeBase64(first, 'padded');
      return digested({ kind, digest: kind, pieces: ['password'], expected });
    }
    if (parts.length !== 3) return malformed(`it must be ${form} and has too few or too many parts`);
    return parseTemplate(kind, { parameters: first, salt: decodeBase64(salt, 'padded'), text }, limits);
  };
}

interface TemplateParts {
  readonly parameters: string;
  readonly salt: Buffer | undefined;
  readonly text: string;
}

function parseTemplate<Kind extends DigestName>(
  kind: Kind,
  { parameters, salt, text }: TemplateParts,
  limits: HashLimits,
): Outcome<ParsedDigest<Kind>> {
  const named = readParameters(parameters, ['pf', 'i', 'pe']);
  if (named?.pf === undefined || salt === undefined) return malformed(`it must be ${form}`);
  if (salt.length > saltBytesLimit) return longSalt;
  const pieces = piecesOfEncoded(named.pf, salt);
  if (pieces === undefined)
    return malformed('its template must have {PASSWORD} once and {SALT} at most once');
  const options = optionsOf(named, limits);
  if ('ok' in options) return options;
  const expected = decodeBase64(text, 'padded');
  return digested({ kind, digest: kind, pieces, expected }, options);
}

function optionsOf(
  { i = '1', pe = 'utf8' }: Parameters<'i' | 'pe'>,
  limits: HashLimits,
): DigestOptions | Fault {
  const iterations = readDecimal(i);
  if (iterations === undefined || iterations < 1) return malformed('its i is not a whole number from 1');
  if (iterations > limits.digestMaxIterations) return overCeiling('digestMaxIterations', limits);
  if (pe !== 'utf8' && pe !== 'utf16le') return malformed('its pe is neither utf8 nor utf16le');
  return { iterations, passwordEncoding: pe };
}
