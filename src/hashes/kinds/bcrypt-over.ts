/** The constructions that contain a whole bcrypt hash and give bcrypt something else than the password. */

import { fault, type Fault, type HashKind, type HashSecrets, type Outcome, type Parser } from '../kind.ts';
import { anotherPassword } from '../parts/causes.ts';
import { fitsBcrypt, isAscii } from '../parts/certainty.ts';
import { bcryptBytes, bcryptMs, isWeakBcrypt, parseBcrypt, type ParsedBcrypt } from './bcrypt.ts';

type OverKind = 'bcrypt_2x' | 'bcrypt_sha256' | 'bcrypt_wordpress' | 'bcrypt_peppered';

/** bcrypt with an additional mark or input. */
export interface ParsedBcryptOver<Kind extends OverKind> {
  readonly kind: Kind;
  readonly inner: ParsedBcrypt;
}

/** Django's `BCryptSHA256PasswordHasher`: its name, `$`, and a whole bcrypt hash. */
const djangoMark = 'bcrypt_sha256$';
/** WordPress 6.8 and later: `$wp` before a whole bcrypt hash, whose own `$` ends the mark. */
const wordpressMark = '$wp$';
/** Made with the sign-extension bug of crypt_blowfish before 1.1 (CVE-2011-2483). */
const bugMark = '$2x$';
/** Characters that PHP's trim() removes from both ends, and so does WordPress. */
const phpTrimmed = /^[ \t\n\r\0\v]|[ \t\n\r\0\v]$/;
/** No library has `$2x$`: this core's own code takes 1.5 times as long. */
const bugFactor = 1.5;

type Inner = Pick<ParsedBcryptOver<OverKind>, 'inner'>;

const shared = {
  bytes: () => bcryptBytes,
  work: ({ inner }: Inner) => bcryptMs(inner.cost),
  cost: ({ inner }: Inner) => ({ logRounds: inner.cost }),
  isWeak: ({ inner }: Inner) => isWeakBcrypt(inner),
};

export const bcrypt_2x: HashKind<ParsedBcryptOver<'bcrypt_2x'>> = {
  ...shared,
  label: 'BCrypt 2x',
  // The same 60 characters as `$2b$`: only the derivation of the key from the password differs.
  spellings: [[bugMark, inside('bcrypt_2x', (hash) => `$2b$${hash.slice(bugMark.length)}`)]],
  partOf: 'bcrypt',
  work: ({ inner }) => bugFactor * bcryptMs(inner.cost),
  // The bug's sign extension overwrites the bytes before one from 0x80 on: many passwords become equal.
  isCertain: (password) => fitsBcrypt(password) && isAscii(password),
};

export const bcrypt_sha256: HashKind<ParsedBcryptOver<'bcrypt_sha256'>> = {
  ...shared,
  label: 'BCrypt-SHA256',
  spellings: [[djangoMark, inside('bcrypt_sha256', (hash) => hash.slice(djangoMark.length))]],
  // bcrypt gets 64 hexadecimal digits of the whole password.
  isCertain: () => true,
};

export const bcrypt_wordpress: HashKind<ParsedBcryptOver<'bcrypt_wordpress'>> = {
  ...shared,
  label: 'WordPress BCrypt',
  spellings: [[wordpressMark, inside('bcrypt_wordpress', (hash) => hash.slice(wordpressMark.length - 1))]],
  // 64 characters of the whole password, except for white space around it.
  isCertain: (password) => !phpTrimmed.test(password.toString('latin1')),
  causes: () => [anotherPassword, 'The site replaces the hashing of WordPress by a plugin.'],
};

/** Nothing distinguishes a peppered hash from another: the caller has to name the kind. */
export const bcrypt_peppered: HashKind<ParsedBcryptOver<'bcrypt_peppered'>> = {
  ...shared,
  label: 'peppered BCrypt',
  spellings: [],
  parseUnmarked: inside('bcrypt_peppered', (hash) => hash),
  secret: 'pepper',
  faultOfSecret: faultOfPepper,
  isCertain: (password, pepper) => fitsBcrypt(Buffer.concat([password, pepper ?? Buffer.alloc(0)])),
  causes: () => ['The configured pepper is another one.', anotherPassword],
};

function faultOfPepper(_parsed: Inner, { pepper }: HashSecrets): Fault | undefined {
  if (pepper !== undefined && pepper.length > 0) return undefined;
  return fault('pepper-missing', "no pepper is configured: set 'bcrypt_pepper'");
}

function inside<Kind extends OverKind>(
  kind: Kind,
  innerOf: (hash: string) => string,
): Parser<ParsedBcryptOver<Kind>> {
  return (hash, limits): Outcome<ParsedBcryptOver<Kind>> => {
    const inner = parseBcrypt(innerOf(hash), limits);
    return inner.ok ? { ok: true, parsed: { kind, inner: inner.parsed } } : inner;
  };
}
