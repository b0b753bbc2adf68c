/** The scrypt variant in strings of other services. Each carries the signer key, as Firebase's own export does not. */

import type { HashLimits } from '../domain/model.ts';
import { lenientBase64Bytes } from './base64.ts';
import { malformed } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { readParameters } from './parameters.ts';
import type { ParsedScryptVariant } from './parsed.ts';
import { boundedScryptVariant, isRedacted, redactedReason, scryptVariantForm } from './scrypt-variant.ts';
import type { ScryptVariantFields } from './scrypt-variant.ts';

type Parsed = Outcome<ParsedScryptVariant>;

/** Ory Kratos: `$firescrypt$ln=…,r=…,p=1$salt$hash$separator$key`. */
export function parseKratos(text: string, limits: HashLimits): Parsed {
  const parts = text.split('$');
  const [, , parameters = '', salt = '', hash = '', separator = '', signerKey] = parts;
  const named = readParameters(parameters, ['ln', 'r', 'p']);
  if (parts.length !== 7) return malformed('it must be $firescrypt$ln=…,r=…,p=1$salt$hash$separator$key');
  const fields = { hash, salt, separator, memoryCost: named?.ln, rounds: named?.r, signerKey };
  return bounded(fields, named?.p, limits);
}

/** Supabase: `$fbscrypt$v=1,n=…,r=…,p=1,ss=…,sk=…$salt$hash`. */
export function parseSupabase(text: string, limits: HashLimits): Parsed {
  const parts = text.split('$');
  const [, , parameters = '', salt = '', hash = ''] = parts;
  const named = readParameters(parameters, ['v', 'n', 'r', 'p', 'ss', 'sk']);
  if (parts.length !== 5 || named?.v !== '1') {
    return malformed('it must be $fbscrypt$v=1,n=…,r=…,p=1,ss=…,sk=…$salt$hash');
  }
  const { n: memoryCost, r: rounds, ss: separator, sk: signerKey } = named;
  return bounded({ hash, salt, separator, memoryCost, rounds, signerKey }, named.p, limits);
}

/** WorkOS's migration tool: `$firebase-scrypt$hash=…$salt=…$sk=…$ss=…$r=…$m=…`, in any order. */
export function parseWorkos(text: string, limits: HashLimits): Parsed {
  const after = text.slice(text.indexOf('$', 1) + 1);
  const named = readParameters(after, ['hash', 'salt', 'sk', 'ss', 'r', 'm'], '$');
  const { hash, salt, sk: signerKey, ss: separator, r: rounds, m: memoryCost } = named ?? {};
  return bounded({ hash, salt, separator, memoryCost, rounds, signerKey }, '1', limits);
}

/** Clerk: `hash$salt$key$separator$rounds$memory cost`, which only a caller that names the kind can mean. */
export function parseClerk(text: string, limits: HashLimits): Parsed {
  if (isRedacted(text)) return malformed(redactedReason);
  const parts = text.split('$');
  if (parts.length !== 6) return malformed(`write it as ${scryptVariantForm}`);
  const [hash, salt, signerKey, separator, rounds, memoryCost] = parts;
  return bounded({ hash, salt, separator, memoryCost, rounds, signerKey }, '1', limits);
}

/** As far as a spelling had them. */
type FoundFields = { readonly [Name in keyof ScryptVariantFields]-?: string | undefined };

function bounded(found: FoundFields, parallelism: string | undefined, limits: HashLimits): Parsed {
  const { hash, salt, separator, memoryCost, rounds, signerKey } = found;
  if (memoryCost === undefined || rounds === undefined || separator === undefined || salt === undefined) {
    return malformed('its parameters are not complete, or one is there twice or unknown');
  }
  // The construction has no other: every implementation fixes it.
  if (parallelism !== '1') return malformed('its p must be 1');
  if (signerKey === undefined || (lenientBase64Bytes(signerKey) ?? 0) === 0) {
    return malformed('the signer key that it must carry is missing or not complete base64');
  }
  return boundedScryptVariant({ hash: hash ?? '', salt, separator, memoryCost, rounds, signerKey }, limits);
}
