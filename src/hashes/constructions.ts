/**
 * Puts a hash, its salt and its construction into one string that shows its kind: the meaning of `--hash-as
 * 'md5(salt.password)'`.
 */

import { hashLimitsBy } from '../config/tenant-settings.ts';
import { constructed } from './kinds/construction.ts';
import { digestString, hmacString, pbkdf2String } from './fields.ts';
import { placesOf, type Construction, type SaltEncoding, type Term } from './parts/construction.ts';
import { digestBytes } from './parts/digested.ts';
import { decodeBase64, decodeHex } from './parts/encodings.ts';
import { parseHash } from './recognise.ts';

/** The hash as a string that shows its kind; `fault` is for people and repeats neither hash nor salt. */
export type Built =
  { readonly ok: true; readonly hash: string } | { readonly ok: false; readonly fault: string };

/** The settings of the core are not known here: it checks its ceilings itself. */
const noCeilings = hashLimitsBy(() => Number.MAX_SAFE_INTEGER);

/**
 * @param text in hexadecimal digits or base64; `hash:salt` if there is no column of salts
 * @param saltText as in its column
 */
export function buildHash(made: Construction, text: string, saltText: string | undefined): Built {
  const [hashText, inline] = saltText === undefined ? splitAtColon(text) : [text];
  const bytes = bytesOf(hashText, made);
  if (bytes === undefined) return fault(`its hash is not ${lengthOf(made)} in hexadecimal digits or base64`);
  const given = saltText ?? inline;
  const salt = given === undefined ? undefined : decodedSalt(given, made.salt);
  if (given !== undefined && salt === undefined)
    return fault(`its salt is not ${made.salt}: say how the salt is written with salt=text, hex or base64`);
  if (salt === undefined && needsSalt(made))
    return fault('it needs a salt, and the record has none: map its column with --map passwordSalt=COLUMN');
  const hash = stringOf(made, salt ?? Buffer.alloc(0), bytes);
  const result = parseHash(hash, undefined, noCeilings);
  return result.ok ? { ok: true, hash } : fault(result.message);
}

function fault(text: string): Built {
  return { ok: false, fault: text };
}

/** Whether a construction has a salt. */
export function needsSalt(made: Construction): boolean {
  return made.is !== 'digest' || placesOf(made.terms).includes('salt');
}

/** Joomla and others write both into one column. */
function splitAtColon(text: string): readonly [string, string?] {
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** PBKDF2 derives any number of bytes. */
function bytesOf(text: string, made: Construction): Buffer | undefined {
  const length = made.is === 'pbkdf2' ? undefined : digestBytes[made.digest];
  const found = decodeHex(text) ?? decodeBase64(text, 'any');
  return found !== undefined && (length === undefined || found.length === length) ? found : undefined;
}

function lengthOf(made: Construction): string {
  return made.is === 'pbkdf2' ? 'a key' : `${digestBytes[made.digest]} bytes`;
}

function decodedSalt(text: string, encoding: SaltEncoding): Buffer | undefined {
  if (encoding === 'text') return Buffer.from(text);
  return encoding === 'hex' ? decodeHex(text) : decodeBase64(text, 'any');
}

function stringOf(made: Construction, salt: Buffer, hash: Buffer): string {
  if (made.is === 'hmac') return hmacString({ digest: made.digest, hash, key: salt });
  if (made.is === 'pbkdf2') return pbkdf2String({ ...made, salt, key: firstBlock(made.digest, hash) });
  const position = made.iterations === 1 ? positionOf(made.terms) : undefined;
  if (position === undefined) return constructed(made, salt, hash);
  return digestString({ digest: made.digest, hash, salt, position });
}

/** PBKDF2 derives each block of a key separately: the first shows whether a password is right, in the least time. */
function firstBlock(digest: Construction['digest'], key: Buffer): Buffer {
  return key.subarray(0, digestBytes[digest]);
}

/** The position of the salt, in a digest of nothing but password and salt. */
function positionOf([first, second, ...more]: readonly Term[]): 'prefix' | 'suffix' | undefined {
  if (more.length > 0) return undefined;
  if (first?.is === 'salt' && second?.is === 'password') return 'prefix';
  return first?.is === 'password' && second?.is === 'salt' ? 'suffix' : undefined;
}
