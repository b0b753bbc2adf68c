/** Digests at negligible cost: bare, salted, by a template, iterated. */

import type { HashLimits } from '../../domain/model.ts';
import { malformed } from '../kind.ts';
import type { Fault, HashKind, Outcome, Parser, WholeLength } from '../kind.ts';
import { overCeiling, saltBytesLimit } from '../limits.ts';
import { digestBytes, digested, digestRow, longSalt } from '../parts/digested.ts';
import type { DigestName, DigestOptions, ParsedDigest, Piece } from '../parts/digested.ts';
import { decodeBase64, decodeHex } from '../parts/encodings.ts';
import { readDecimal, readParameters, type Parameters } from '../parts/parameters.ts';

const form =
  '$<digest>$hash or $<digest>$pf=<template>[,i=<iterations>][,pe=<utf8 or utf16le>]$salt$hash, in base64';

/** A bare digest in hexadecimal digits: needs its kind's name, because other kinds look alike. */
function parseHexDigest<Kind extends DigestName>(kind: Kind): Parser<ParsedDigest<Kind>> {
  return (hash) => digested({ kind, digest: kind, pieces: ['password'], expected: decodeHex(hash) });
}

/** Django's `md5$salt$hex` and `sha1$salt$hex` of salt ‖ password, the salt as text. */
function parseDjangoDigest<Kind extends DigestName>(kind: Kind): Parser<ParsedDigest<Kind>> {
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
 * Ory Kratos's `$sha256$hash` and `$sha256$pf=<template>$salt$hash`, padded base64 throughout. Two parameters are additions for
 * the fields of other systems: `i`, iterations of the digest, and `pe`, the password's encoding.
 */
function parseTemplateDigest<Kind extends DigestName>(kind: Kind): Parser<ParsedDigest<Kind>> {
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

const passwordMark = '{PASSWORD}';
const saltMark = '{SALT}';

/** The templates that nearly all hashes have, in base64: they need not be decoded and searched. */
const saltFirst = Buffer.from(`${saltMark}${passwordMark}`).toString('base64');
const saltLast = Buffer.from(`${passwordMark}${saltMark}`).toString('base64');

/** As piecesOf for a template in padded base64. */
function piecesOfEncoded(template: string, salt: Buffer): readonly Piece[] | undefined {
  if (salt.length > 0 && template === saltFirst) return [salt, 'password'];
  if (salt.length > 0 && template === saltLast) return ['password', salt];
  return piecesOf(decodeBase64(template, 'padded')?.toString('utf8') ?? '', salt);
}

/**
 * The pieces of a template such as `{SALT}{PASSWORD}`: the password once, the salt at most once, other text unchanged. From Ory
 * Kratos (hash/hash_comparator.go). Undefined when a mark is missing or occurs twice.
 */
function piecesOf(template: string, salt: Buffer): readonly Piece[] | undefined {
  const passwordAt = template.indexOf(passwordMark);
  const saltAt = template.indexOf(saltMark);
  if (passwordAt < 0 || template.includes(passwordMark, passwordAt + 1)) return undefined;
  if (saltAt >= 0 && template.includes(saltMark, saltAt + 1)) return undefined;
  const after = passwordAt + passwordMark.length;
  const pieces: Piece[] = [];
  pushText(pieces, { text: template.slice(0, passwordAt), saltAt, salt });
  pieces.push('password');
  pushText(pieces, { text: template.slice(after), saltAt: saltAt - after, salt });
  return pieces;
}

interface Side {
  readonly text: string;
  /** Outside of the text when the salt is elsewhere, or absent. */
  readonly saltAt: number;
  readonly salt: Buffer;
}

/** Pushes the texts of one side of the password, without empty ones: this runs for each parsed hash. */
function pushText(pieces: Piece[], { text, saltAt, salt }: Side): void {
  if (saltAt < 0 || saltAt >= text.length) {
    if (text !== '') pieces.push(Buffer.from(text, 'utf8'));
    return;
  }
  const after = saltAt + saltMark.length;
  if (saltAt > 0) pieces.push(Buffer.from(text.slice(0, saltAt), 'utf8'));
  if (salt.length > 0) pieces.push(salt);
  if (after < text.length) pieces.push(Buffer.from(text.slice(after), 'utf8'));
}

function rowOf<Kind extends DigestName>(
  kind: Kind,
  name: string,
  django?: WholeLength,
): HashKind<ParsedDigest<Kind>> {
  const characters = 2 * digestBytes[kind];
  return {
    ...digestRow,
    label: kind.toUpperCase(),
    spellings: [
      [`$${kind}$`, parseTemplateDigest(kind)],
      ...(django === undefined ? [] : [[`${kind}$`, parseDjangoDigest(kind)] as const]),
    ],
    parseUnmarked: parseHexDigest(kind),
    shapes: [{ pattern: new RegExp(`^[0-9A-Fa-f]{${characters}}$`), name, isUnsalted: true }],
    ...(django !== undefined && { wholes: [django] }),
  };
}

export const md5 = rowOf('md5', 'MD5', { head: /^md5\$[^$]*\$/, characters: 32, part: 'hash' });
export const sha1 = rowOf('sha1', 'SHA-1', { head: /^sha1\$[^$]*\$/, characters: 40, part: 'hash' });
export const sha256 = rowOf('sha256', 'SHA-256');
export const sha384 = rowOf('sha384', 'SHA-384');
export const sha512 = rowOf('sha512', 'SHA-512');
