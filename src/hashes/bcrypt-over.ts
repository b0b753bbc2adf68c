/** The constructions that hold a whole bcrypt hash and give bcrypt something else than the password. */

import { parseBcrypt } from './bcrypt.ts';

import type { Outcome, Parser } from './outcome.ts';
import type { ParsedBcryptOver } from './parsed.ts';

/** Django's `BCryptSHA256PasswordHasher`: its name, `$`, and a whole bcrypt hash. */
export const djangoMark = 'bcrypt_sha256$';
/** WordPress 6.8 and later: `$wp` before a whole bcrypt hash, whose own `$` ends the mark. */
export const wordpressMark = '$wp$';
/** Made with the sign-extension bug of crypt_blowfish before 1.1 (CVE-2011-2483). */
export const bugMark = '$2x$';

export const parseBcryptSha256 = inside('bcrypt_sha256', (hash) => hash.slice(djangoMark.length));
export const parseBcryptWordpress = inside('bcrypt_wordpress', (hash) =>
  hash.slice(wordpressMark.length - 1),
);
/** Nothing tells a peppered hash from another: the caller has to name the kind. */
export const parseBcryptPeppered = inside('bcrypt_peppered', (hash) => hash);
/** The same 60 characters as `$2b$`: only the way from the password to the key differs. */
export const parseBcrypt2x = inside('bcrypt_2x', (hash) => `$2b$${hash.slice(bugMark.length)}`);

function inside<Kind extends 'bcrypt_2x' | 'bcrypt_sha256' | 'bcrypt_wordpress' | 'bcrypt_peppered'>(
  kind: Kind,
  innerOf: (hash: string) => string,
): Parser<ParsedBcryptOver<Kind>> {
  return (hash, limits): Outcome<ParsedBcryptOver<Kind>> => {
    const inner = parseBcrypt(innerOf(hash), limits);
    return inner.ok ? { ok: true, parsed: { kind, inner: inner.parsed } } : inner;
  };
}
