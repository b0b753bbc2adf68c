import type { HashLimits } from '../domain/model.ts';
import { lenientBase64Bytes } from './base64.ts';
import { saltBytesLimit } from './ceilings.ts';
import { readDecimal } from './decimal.ts';
import { overCeiling } from './limits.ts';
import { malformed } from './outcome.ts';
import type { Fault, Outcome, ParsedScryptVariant } from './outcome.ts';

export const scryptVariantPrefix = '$f_scrypt$';
export const scryptVariantForm = '$f_scrypt$<hash>$<salt>$m=<mem_cost>$r=<rounds>$s=<separator>';

/** With 2^31 blocks even r = 1 needs 256 GiB: no larger exponent is worth a number. */
const memoryCostMax = 31;
const bytesPerMiB = 1024 * 1024;
/** base64 of "REDACTED": what the exporter writes when its account may not read the hashes. */
const redacted = /^UkVEQUNURUQ=?$/;

interface Fields {
  readonly m: string;
  readonly r: string;
  readonly s: string;
}

/** Bytes of scrypt's large array, 128 · N · r · p with p = 1 (RFC 7914 section 2). */
export function scryptVariantBytes(memoryCost: number, rounds: number): number {
  // Not `1 << memoryCost`: that wraps at 31.
  return 128 * 2 ** memoryCost * rounds;
}

/** Whether `hash` is, alone or in its place, the mark of an export made without the right to read hashes. */
export function isRedacted(hash: string): boolean {
  return redacted.test(hash);
}

export const redactedReason =
  'the export says REDACTED where the hash should be: the account that exported may not read password hashes; ' +
  'export again with one that may';

/** The fields of a spelling, as text: base64 in either alphabet, padded or not, and plain decimals. */
export interface ScryptVariantFields {
  readonly hash: string;
  readonly salt: string;
  readonly separator: string;
  readonly memoryCost: string;
  readonly rounds: string;
  readonly signerKey?: string;
}

/**
 * Parses `$f_scrypt$<hash>$<salt>$m=…$r=…$s=…` in full, the last three in any order.
 *
 * Base64 in either alphabet, padded or not: the provider's command line writes one and its interface the other.
 * Whether the hash is as long as the signer key only the verifier can say. Faults: `malformed`, `out-of-range`.
 */
export function parseScryptVariant(hash: string, limits: HashLimits): Outcome<ParsedScryptVariant> {
  const parts = hash.slice(scryptVariantPrefix.length).split('$');
  if (parts.length !== 5)
    return malformed(`it must be ${scryptVariantForm} and has too few or too many parts`);
  const [text = '', salt = '', ...named] = parts;
  const fields = fieldsOf(named);
  if (fields === undefined) return malformed('after hash and salt it must have m=, r= and s=, each once');
  const { m: memoryCost, r: rounds, s: separator } = fields;
  return boundedScryptVariant({ hash: text, salt, separator, memoryCost, rounds }, limits);
}

/** Checks the fields of any spelling. Faults as parseScryptVariant. */
export function boundedScryptVariant(
  fields: ScryptVariantFields,
  limits: HashLimits,
): Outcome<ParsedScryptVariant> {
  const { memoryCost, rounds, ...texts } = fields;
  if (isRedacted(texts.hash)) return malformed(redactedReason);
  const hashBytes = lenientBase64Bytes(texts.hash);
  if (hashBytes === undefined || hashBytes === 0)
    return malformed('its hash is empty or not complete base64');
  const found = faultOfSalts(texts.salt, texts.separator);
  if (found !== undefined) return found;
  const costs = costsOf({ m: memoryCost, r: rounds }, limits);
  if ('ok' in costs) return costs;
  return { ok: true, parsed: { kind: 'provider_scrypt', hashBytes, ...texts, ...costs } };
}

/** `parsed` as it is stored: without the signer key that some spellings carry along. */
export function scryptVariantString({
  hash,
  salt,
  memoryCost,
  rounds,
  separator,
}: ParsedScryptVariant): string {
  return `${scryptVariantPrefix}${hash}$${salt}$m=${memoryCost}$r=${rounds}$s=${separator}`;
}

function fieldsOf(parts: readonly string[]): Fields | undefined {
  const found: { m?: string; r?: string; s?: string } = {};
  for (const part of parts) {
    const name = part[0];
    if ((name !== 'm' && name !== 'r' && name !== 's') || part[1] !== '=') return undefined;
    found[name] = part.slice(2);
  }
  // Three parts and three names: a name that came twice leaves another one out.
  const { m, r, s } = found;
  return m === undefined || r === undefined || s === undefined ? undefined : { m, r, s };
}

function faultOfSalts(salt: string, separator: string): Fault | undefined {
  const saltBytes = lenientBase64Bytes(salt);
  if (saltBytes === undefined || saltBytes === 0)
    return malformed('its salt is empty or not complete base64');
  // An empty separator is legal: it is a setting of the exporting project.
  const separatorBytes = lenientBase64Bytes(separator);
  if (separatorBytes === undefined) return malformed('its separator (s) is not complete base64');
  return saltBytes + separatorBytes > saltBytesLimit
    ? malformed(`its salt and separator are longer than ${saltBytesLimit} bytes`)
    : undefined;
}

function costsOf(
  fields: Pick<Fields, 'm' | 'r'>,
  limits: HashLimits,
): { memoryCost: number; rounds: number } | Fault {
  const memoryCost = readDecimal(fields.m);
  const rounds = readDecimal(fields.r);
  if (memoryCost === undefined || memoryCost < 1 || memoryCost > memoryCostMax) {
    return malformed(`its m must be a whole number from 1 to ${memoryCostMax}`);
  }
  if (rounds === undefined || rounds < 1) return malformed('its r must be a whole number from 1');
  const bytesLimit = limits.scryptMaxMemoryMb * bytesPerMiB;
  if (scryptVariantBytes(memoryCost, rounds) > bytesLimit) return overCeiling('scryptMaxMemoryMb', limits);
  // RFC 7914 section 2: N < 2^(128 · r / 8). Implementations throw beyond it.
  if (memoryCost >= 16 * rounds) return malformed('its m is larger than scrypt allows for its r');
  return { memoryCost, rounds };
}
