/**
 * Firebase's variant of scrypt, whose key encrypts the signer key of the project: in the spelling of this core, and in those of
 * other services, which contain the signer key, as Firebase's own export does not.
 */

import { timingSafeEqual } from 'node:crypto';
import { refusals } from '../../domain/errors.ts';
import type { HashLimits } from '../../domain/model.ts';
import { fault, malformed, type Fault, type HashKind, type HashSecrets, type Outcome } from '../kind.ts';
import { overCeiling, saltBytesLimit } from '../limits.ts';
import { lenientBase64Bytes } from '../parts/encodings.ts';
import { anotherPassword } from '../parts/causes.ts';
import { readDecimal, readParameters } from '../parts/parameters.ts';
import { scryptRow, type ScryptCosts } from './scrypt.ts';

export interface ParsedScryptVariant {
  readonly kind: 'provider_scrypt';
  /** Base64 in either alphabet, padded or not, already checked; so are `salt` and `separator`. */
  readonly hash: string;
  readonly hashBytes: number;
  readonly salt: string;
  /** May be empty. */
  readonly separator: string;
  /** log2 of scrypt's N */
  readonly memoryCost: number;
  /** scrypt's r */
  readonly rounds: number;
  /** The key that some spellings contain, in base64 as the others. It is compared and never stored. */
  readonly signerKey?: string;
}

export const scryptVariantPrefix = '$f_scrypt$';
const form = '$f_scrypt$<hash>$<salt>$m=<mem_cost>$r=<rounds>$s=<separator>';

/** With 2^31 blocks even r = 1 needs 256 GiB: larger exponents make no sense. */
const memoryCostMax = 31;
const bytesPerMiB = 1024 * 1024;
/** base64 of "REDACTED": written by the exporter when its account may not read the hashes. */
const redacted = /^UkVEQUNURUQ=?$/;

interface Fields {
  readonly m: string;
  readonly r: string;
  readonly s: string;
}

/** Bytes of scrypt's large array, 128 · N · r · p with p = 1 (RFC 7914 section 2). */
function largeArrayBytes(memoryCost: number, rounds: number): number {
  // Not `1 << memoryCost`: that wraps at 31.
  return 128 * 2 ** memoryCost * rounds;
}

/** Whether `hash` is the mark of an export made without the right to read hashes, alone or in place of the hash. */
export function isRedacted(hash: string): boolean {
  return redacted.test(hash);
}

export const redactedReason =
  'the export says REDACTED where the hash should be: the account that exported may not read password hashes; ' +
  'export again with one that may';

/** The fields of a spelling, as text: base64 in either alphabet, padded or not, and plain decimals. */
interface ScryptVariantFields {
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
 * Base64 in either alphabet, padded or not: the provider's command line writes one and its interface the other. Only the verifier
 * can tell whether the hash has the length of the signer key. Faults: `malformed`, `out-of-range`.
 */
function parseScryptVariant(hash: string, limits: HashLimits): Outcome<ParsedScryptVariant> {
  const parts = hash.slice(scryptVariantPrefix.length).split('$');
  if (parts.length !== 5) return malformed(`it must be ${form} and has too few or too many parts`);
  const [text = '', salt = '', ...named] = parts;
  const fields = fieldsOf(named);
  if (fields === undefined) return malformed('after hash and salt it must have m=, r= and s=, each once');
  const { m: memoryCost, r: rounds, s: separator } = fields;
  return boundedScryptVariant({ hash: text, salt, separator, memoryCost, rounds }, limits);
}

/** Checks the fields of any spelling. Faults as parseScryptVariant. */
function boundedScryptVariant(fields: ScryptVariantFields, limits: HashLimits): Outcome<ParsedScryptVariant> {
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

/** The stored form of `parsed`: without the signer key that some spellings contain. */
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
  // Three parts and three names: a repeated name leaves another one out.
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
  if (largeArrayBytes(memoryCost, rounds) > bytesLimit) return overCeiling('scryptMaxMemoryMb', limits);
  // RFC 7914 section 2: N < 2^(128 · r / 8). Implementations throw beyond it.
  if (memoryCost >= 16 * rounds) return malformed('its m is larger than scrypt allows for its r');
  return { memoryCost, rounds };
}

type Parsed = Outcome<ParsedScryptVariant>;

/** Ory Kratos: `$firescrypt$ln=…,r=…,p=1$salt$hash$separator$key`. */
function parseKratos(text: string, limits: HashLimits): Parsed {
  const parts = text.split('$');
  const [, , parameters = '', salt = '', hash = '', separator = '', signerKey] = parts;
  const named = readParameters(parameters, ['ln', 'r', 'p']);
  if (parts.length !== 7) return malformed('it must be $firescrypt$ln=…,r=…,p=1$salt$hash$separator$key');
  const fields = { hash, salt, separator, memoryCost: named?.ln, rounds: named?.r, signerKey };
  return completed(fields, named?.p, limits);
}

/** Supabase: `$fbscrypt$v=1,n=…,r=…,p=1,ss=…,sk=…$salt$hash`. */
function parseSupabase(text: string, limits: HashLimits): Parsed {
  const parts = text.split('$');
  const [, , parameters = '', salt = '', hash = ''] = parts;
  const named = readParameters(parameters, ['v', 'n', 'r', 'p', 'ss', 'sk']);
  if (parts.length !== 5 || named?.v !== '1') {
    return malformed('it must be $fbscrypt$v=1,n=…,r=…,p=1,ss=…,sk=…$salt$hash');
  }
  const { n: memoryCost, r: rounds, ss: separator, sk: signerKey } = named;
  return completed({ hash, salt, separator, memoryCost, rounds, signerKey }, named.p, limits);
}

/** WorkOS's migration tool: `$firebase-scrypt$hash=…$salt=…$sk=…$ss=…$r=…$m=…`, in any order. */
function parseWorkos(text: string, limits: HashLimits): Parsed {
  const after = text.slice(text.indexOf('$', 1) + 1);
  const named = readParameters(after, ['hash', 'salt', 'sk', 'ss', 'r', 'm'], '$');
  const { hash, salt, sk: signerKey, ss: separator, r: rounds, m: memoryCost } = named ?? {};
  return completed({ hash, salt, separator, memoryCost, rounds, signerKey }, '1', limits);
}

/** Clerk: `hash$salt$key$separator$rounds$memory cost`, recognised only if the caller names the kind. */
function parseClerk(text: string, limits: HashLimits): Parsed {
  if (isRedacted(text)) return malformed(redactedReason);
  const parts = text.split('$');
  if (parts.length !== 6) return malformed(`write it as ${form}`);
  const [hash, salt, signerKey, separator, rounds, memoryCost] = parts;
  return completed({ hash, salt, separator, memoryCost, rounds, signerKey }, '1', limits);
}

/** The fields that a spelling had. */
type FoundFields = { readonly [Name in keyof ScryptVariantFields]-?: string | undefined };

function completed(found: FoundFields, parallelism: string | undefined, limits: HashLimits): Parsed {
  const { hash, salt, separator, memoryCost, rounds, signerKey } = found;
  if (memoryCost === undefined || rounds === undefined || separator === undefined || salt === undefined) {
    return malformed('its parameters are not complete, or one is there twice or unknown');
  }
  // The construction has no other value: every implementation fixes it.
  if (parallelism !== '1') return malformed('its p must be 1');
  if (signerKey === undefined || (lenientBase64Bytes(signerKey) ?? 0) === 0) {
    return malformed('the signer key that it must carry is missing or not complete base64');
  }
  return boundedScryptVariant({ hash: hash ?? '', salt, separator, memoryCost, rounds, signerKey }, limits);
}

/** Its N, r and p. */
export function scryptCosts({ memoryCost, rounds }: ParsedScryptVariant): ScryptCosts {
  return { iterations: 2 ** memoryCost, blockSize: rounds, parallelism: 1 };
}

/**
 * The scrypt variant encrypts the signer key, so a hash of another length belongs to another key or was truncated. A key in the
 * hash must be the configured one: it is a secret of the project, not of a row.
 */
function faultOfSignerKey(parsed: ParsedScryptVariant, { signerKey }: HashSecrets): Fault | undefined {
  if (signerKey === undefined) return fault('signer-key-missing', refusals.SIGNER_KEY_MISSING.message);
  if (parsed.hashBytes !== signerKey.length) {
    return malformed('its hash is not as long as the configured signer key');
  }
  if (parsed.signerKey === undefined || isSameKey(parsed.signerKey, signerKey)) return undefined;
  return malformed('the signer key that it carries is not the configured one');
}

/** In constant time, because a client that imports need not know the key. */
function isSameKey(base64: string, signerKey: Uint8Array): boolean {
  const carried = Buffer.from(base64, 'base64');
  return carried.length === signerKey.length && timingSafeEqual(carried, signerKey);
}

function causesOf({ hashBytes }: ParsedScryptVariant, { signerKey }: HashSecrets): readonly string[] {
  const key =
    'The configured signer key is not the one of the project: copy base64_signer_key again, and set provider_password_hashing_signer_key.';
  if (signerKey !== undefined && hashBytes !== signerKey.length)
    return [`${key} It has another length than the hash.`, 'The hash was cut off.', anotherPassword];
  return [
    key,
    anotherPassword,
    'Salt separator, rounds or mem_cost are not those of the project.',
    'One pair cannot distinguish a wrong password from a wrong signer key. Examine a second pair of the same project: if both decrypt to one key, the passwords are right.',
  ];
}

export const provider_scrypt: HashKind<ParsedScryptVariant> = {
  label: 'scrypt',
  aliases: ['firebase_scrypt'],
  spellings: [
    [scryptVariantPrefix, parseScryptVariant],
    ['$firescrypt$', parseKratos],
    ['$fbscrypt$', parseSupabase],
    ['$firebase-scrypt$', parseWorkos],
  ],
  parseUnmarked: parseClerk,
  mustBeNamed: 'hashingAlgorithm is required for this kind: set it to provider_scrypt',
  secret: 'signerKey',
  faultOfSecret: faultOfSignerKey,
  // The stored form lacks the signer key, which stays in the configuration.
  storedAs: (parsed) => (parsed.signerKey === undefined ? undefined : scryptVariantString(parsed)),
  bytes: (parsed) => scryptRow.bytes(scryptCosts(parsed)),
  work: (parsed) => scryptRow.work(scryptCosts(parsed)),
  cost: (parsed) => scryptRow.cost(scryptCosts(parsed)),
  isWeak: (parsed) => scryptRow.isWeak(scryptCosts(parsed)),
  isCertain: scryptRow.isCertain,
  causes: causesOf,
};
