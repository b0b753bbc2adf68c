/** The verifier of each kind. Everything in here blocks: only worker threads may import it. */

import type { HashSecrets } from '../kind.ts';
import type { HashKindName, ParsedByKind, ParsedHash } from '../registry.ts';
import { passwordsBy } from '../transforms/transforms.ts';
import { verifyArgon2 } from './argon2.ts';
import { verifyBcrypt2x } from './bcrypt-2x.ts';
import { verifyBcryptPeppered, verifyBcryptSha256, verifyBcryptWordpress } from './bcrypt-over.ts';
import { verifyBcrypt } from './bcrypt.ts';
import { verifyConstruction } from './construction.ts';
import { verifyMd5Crypt, verifyShaCrypt } from './crypt.ts';
import { verifyDigest } from './digest.ts';
import { verifyScryptVariant } from './firebase-scrypt.ts';
import { verifyHmac } from './hmac.ts';
import { verifyPbkdf2 } from './pbkdf2.ts';
import { verifyPhpass } from './phpass.ts';
import { verifyBetterAuth, verifyScrypt } from './scrypt.ts';

type Verifiers = {
  readonly [Kind in HashKindName]: (
    parsed: ParsedByKind[Kind],
    password: Buffer,
    secrets: HashSecrets,
  ) => boolean;
};

const verifiers: Verifiers = {
  bcrypt: verifyBcrypt,
  bcrypt_2x: verifyBcrypt2x,
  bcrypt_sha256: verifyBcryptSha256,
  bcrypt_wordpress: verifyBcryptWordpress,
  bcrypt_peppered: verifyBcryptPeppered,
  argon2: verifyArgon2,
  provider_scrypt: verifyScryptVariant,
  scrypt: verifyScrypt,
  better_auth: verifyBetterAuth,
  pbkdf2: verifyPbkdf2,
  pbkdf2_kratos: verifyPbkdf2,
  aspnet: verifyPbkdf2,
  phpass: verifyPhpass,
  sha512_crypt: verifyShaCrypt,
  sha256_crypt: verifyShaCrypt,
  md5_crypt: verifyMd5Crypt,
  ldap: verifyDigest,
  md5: verifyDigest,
  sha1: verifyDigest,
  sha256: verifyDigest,
  sha384: verifyDigest,
  sha512: verifyDigest,
  hmac: verifyHmac,
  construction: verifyConstruction,
};

/**
 * Whether `password` (UTF-8 as received) has this hash. Allocates and blocks as costOf and workOf estimate, workOf for each form
 * that changes the password differently. All forms are computed, also after a match: the time depends on the sent password and on
 * the forms, not on whether it was right.
 */
export function verifyParsed(parsed: ParsedHash, password: Buffer, secrets: HashSecrets): boolean {
  const { passwordAs } = parsed;
  if (passwordAs === undefined) return verifyAs(parsed.kind, parsed, password, secrets);
  return passwordsBy(passwordAs, password)
    .map((changed) => verifyAs(parsed.kind, parsed, changed, secrets))
    .includes(true);
}

function verifyAs<Kind extends HashKindName>(
  kind: Kind,
  parsed: ParsedByKind[Kind],
  password: Buffer,
  secrets: HashSecrets,
): boolean {
  return verifiers[kind](parsed, password, secrets);
}
