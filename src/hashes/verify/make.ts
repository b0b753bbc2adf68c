/** Makes hashes like a given one: the same kind, cost and spelling, of a known password and with a random salt. */

import type { HashLimits } from '../../domain/model.ts';
import { secretProblem } from '../accept.ts';
import type { HashSecrets } from '../kind.ts';
import { parseHash, storedForm } from '../recognise.ts';
import type { HashKindName, ParsedByKind, ParsedHash } from '../registry.ts';
import { changedBy } from '../transforms/transforms.ts';
import { argon2Tag } from './argon2.ts';
import { bcryptInput } from './bcrypt-over.ts';
import { hashBcrypt } from './bcrypt.ts';
import { constructionOf } from './construction.ts';
import { md5CryptOf, shaCryptOf } from './crypt.ts';
import { digestOf } from './digest.ts';
import { encrypted } from './firebase-scrypt.ts';
import { hmacOf } from './hmac.ts';
import { pbkdf2Key } from './pbkdf2.ts';
import { phpassOf } from './phpass.ts';
import { betterAuthInput, derive } from './scrypt.ts';
import { type HashPart, withDigest, withRandomSalt } from './parts/substitute.ts';
import { verifyParsed } from './verifiers.ts';

/** The hash whose like is made. */
export interface Model {
  /** With its forms stated before it, if it has any. */
  readonly hash: string;
  readonly kind: HashKindName;
  readonly limits: HashLimits;
  readonly secrets: HashSecrets;
}

/**
 * A hash of `password`, in the spelling of the model or in the stored form of its kind. Blocks as a verification does, and twice
 * as long with `isChecked`, which verifies the result.
 * @param password ASCII: the kinds differ in what they do with other characters
 * @returns undefined if no hash of this kind can be made
 */
export function makeHash(model: Model, password: Buffer, isChecked: boolean): string | undefined {
  const parsed = parsedOf(model.hash, model);
  if (parsed === undefined) return undefined;
  for (const hash of new Set([model.hash, storedForm(model.hash, parsed)])) {
    const made = madeLike(hash, model, password);
    if (made !== undefined && (!isChecked || isRight(made, model, password))) return made;
  }
  return undefined;
}

function parsedOf(hash: string, { kind, limits, secrets }: Model): ParsedHash | undefined {
  const shown = parseHash(hash, undefined, limits);
  const result = shown.ok && shown.parsed.kind === kind ? shown : parseHash(hash, kind, limits);
  return result.ok && secretProblem(result.parsed, secrets) === undefined ? result.parsed : undefined;
}

function isRight(hash: string, model: Model, password: Buffer): boolean {
  const parsed = parsedOf(hash, model);
  return parsed !== undefined && verifyParsed(parsed, password, model.secrets);
}

function madeLike(hash: string, model: Model, password: Buffer): string | undefined {
  const parsed = parsedOf(hash, model);
  if (parsed === undefined) return undefined;
  const [form = []] = parsed.passwordAs ?? [];
  return remade(parsed.kind, hash, { parsed, model, input: changedBy(form, password) });
}

interface Making<Kind extends HashKindName = HashKindName> {
  readonly parsed: ParsedByKind[Kind];
  readonly model: Model;
  /** What the kind gets for the password. */
  readonly input: Buffer;
}

/** The parts of a kind's hashes, and the digest of a password with the parameters of a hash. */
interface Parts<Kind extends HashKindName> {
  readonly salts: (parsed: ParsedByKind[Kind]) => readonly HashPart[];
  readonly digest: (parsed: ParsedByKind[Kind]) => HashPart;
  readonly compute: (parsed: ParsedByKind[Kind], input: Buffer, secrets: HashSecrets) => HashPart;
}

type Digested = 'ldap' | 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';
type Pbkdf2 = 'pbkdf2' | 'pbkdf2_kratos' | 'aspnet';
type Scrypt = 'scrypt' | 'better_auth';

/** The text of a template is treated as a salt: it may be a secret of the app. */
const ofDigest: Parts<Digested> = {
  salts: ({ pieces }) => pieces.filter((piece) => piece !== 'password'),
  digest: ({ expected }) => expected,
  compute: digestOf,
};
const ofPbkdf2: Parts<Pbkdf2> = {
  salts: ({ salt }) => [salt],
  digest: ({ key }) => key,
  compute: pbkdf2Key,
};
const ofScrypt: Parts<Scrypt> = {
  salts: ({ salt }) => [salt],
  digest: ({ key }) => key,
  compute: ({ key, ...costs }, input) => derive(input, costs, key.length),
};
const ofShaCrypt: Parts<'sha512_crypt' | 'sha256_crypt'> = {
  salts: ({ salt }) => [salt],
  digest: ({ encoded }) => encoded,
  compute: shaCryptOf,
};
const base64 = (text: string): Buffer => Buffer.from(text, 'base64');

type BcryptKind = 'bcrypt' | 'bcrypt_2x' | 'bcrypt_sha256' | 'bcrypt_wordpress' | 'bcrypt_peppered';
type PartsByKind = { readonly [Kind in Exclude<HashKindName, BcryptKind>]: Parts<Kind> };

const parts: PartsByKind = {
  argon2: {
    salts: ({ salt }) => [base64(salt)],
    digest: ({ tag }) => base64(tag),
    compute: argon2Tag,
  },
  provider_scrypt: {
    salts: ({ salt, separator }) => [base64(salt), base64(separator)],
    digest: ({ hash }) => base64(hash),
    compute: (parsed, input, { signerKey = Buffer.alloc(0) }) => encrypted(parsed, input, signerKey),
  },
  phpass: { salts: ({ salt }) => [salt], digest: ({ encoded }) => encoded, compute: phpassOf },
  md5_crypt: { salts: ({ salt }) => [salt], digest: ({ encoded }) => encoded, compute: md5CryptOf },
  hmac: { salts: ({ key }) => [key], digest: ({ expected }) => expected, compute: hmacOf },
  construction: {
    salts: ({ salt }) => [salt],
    digest: ({ expected }) => expected,
    compute: constructionOf,
  },
  sha512_crypt: ofShaCrypt,
  sha256_crypt: ofShaCrypt,
  scrypt: ofScrypt,
  better_auth: {
    ...ofScrypt,
    compute: (parsed, input, secrets) => ofScrypt.compute(parsed, betterAuthInput(input), secrets),
  },
  pbkdf2: ofPbkdf2,
  pbkdf2_kratos: ofPbkdf2,
  aspnet: ofPbkdf2,
  ldap: ofDigest,
  md5: ofDigest,
  sha1: ofDigest,
  sha256: ofDigest,
  sha384: ofDigest,
  sha512: ofDigest,
};

function remade<Kind extends HashKindName>(
  kind: Kind,
  hash: string,
  making: Making<Kind>,
): string | undefined {
  if (isBcrypt(kind)) return bcryptLike(hash, making as Making as Making<BcryptKind>);
  // A row of its own kind, which TypeScript cannot infer through the union.
  const { salts, digest, compute } = (parts as Readonly<Record<string, unknown>>)[kind] as Parts<Kind>;
  const { parsed, model, input } = making;
  const salted = salts(parsed).reduce<string | undefined>(
    (text, salt) => text && withRandomSalt(text, salt),
    hash,
  );
  const again = salted === undefined ? undefined : parsedOf(salted, model);
  if (salted === undefined || again?.kind !== kind) return undefined;
  return withDigest(salted, digest(parsed), compute(again as ParsedByKind[Kind], input, model.secrets));
}

function isBcrypt(kind: HashKindName): kind is BcryptKind {
  return kind.startsWith('bcrypt');
}

/** Characters of salt and digest, with which every bcrypt hash ends; unused bits may differ in the last of each. */
const bcryptTail = 53;
const bcryptSaltShown = 21;

function bcryptLike(hash: string, { parsed, model, input }: Making<BcryptKind>): string | undefined {
  const { canonical, cost } = parsed.kind === 'bcrypt' ? parsed : parsed.inner;
  // With the sign before it: a salt of one repeated character is in the text at several places.
  const beforeTail = hash.lastIndexOf(`$${canonical.slice(-bcryptTail).slice(0, bcryptSaltShown)}`);
  if (beforeTail < 0) return undefined;
  const at = beforeTail + 1;
  const made = hashBcrypt(bcryptInputOf(parsed.kind, input, model.secrets), cost).slice(-bcryptTail);
  return hash.slice(0, at) + made + hash.slice(at + bcryptTail);
}

/** The bug of `bcrypt_2x` makes no difference to ASCII. */
function bcryptInputOf(kind: BcryptKind, input: Buffer, { pepper = Buffer.alloc(0) }: HashSecrets): Buffer {
  if (kind === 'bcrypt' || kind === 'bcrypt_2x') return input;
  return bcryptInput[kind](input, pepper);
}
