/**
 * Hash strings that are recognised by their beginning and not verified here, so that a refusal can name them. The page of hashes
 * lists them with the reason.
 */

export interface Unsupported {
  /** Its beginning; a scheme in braces in lower case, because LDAP's are case-insensitive (RFC 2307 section 5.3). */
  readonly mark: string;
  readonly name: string;
  /** Why it is not verified, for the page. */
  readonly why: string;
}

const noLibrary = 'no library for Node computes it';
const notSeen = 'no export of users with it was seen so far';
const protocol = 'it is the verifier of a login protocol, and not the hash of a password as it is typed';
const noMd4 = 'it is made with MD4, which OpenSSL 3 has switched off';
const des = 'it reads eight characters and is guessed within hours: have these users set a new password';

/** bcrypt over something else. Removing the prefix leaves a string that parses and never matches. */
export const constructions: readonly Unsupported[] = [
  {
    mark: '$bcrypt-sha256$',
    name: "passlib's bcrypt over a SHA-256 HMAC",
    why: 'not written yet: its HMAC is keyed with the salt',
  },
];

export const unsupported: readonly Unsupported[] = [
  { mark: '$apr1$', name: "Apache's md5-crypt", why: notSeen },
  { mark: '$S$', name: "Drupal's SHA-512 phpass", why: 'not written yet' },
  { mark: '$y$', name: 'yescrypt', why: noLibrary },
  { mark: '$gy$', name: 'gost-yescrypt', why: noLibrary },
  { mark: '$7$', name: 'scrypt (crypt form)', why: notSeen },
  { mark: '$md5,', name: "Solaris's md5-crypt", why: notSeen },
  { mark: '$p5k2$', name: "PBKDF2 as Python's pbkdf2 package writes it", why: notSeen },
  { mark: '$scram$', name: 'SCRAM (passlib)', why: protocol },
  { mark: 'SCRAM-SHA-256$', name: "PostgreSQL's SCRAM-SHA-256", why: protocol },
  {
    mark: '$A$',
    name: "MySQL's caching_sha2_password",
    why: 'its salt is raw bytes, which few exports keep',
  },
  { mark: '$pbkdf2', name: 'PBKDF2 with a digest other than sha1, sha256 and sha512', why: notSeen },
  { mark: 'pbkdf2_', name: "Django's PBKDF2 with a digest other than sha1, sha256 and sha512", why: notSeen },
  {
    mark: '$hmac-',
    name: 'HMAC with a digest other than md5, sha1, sha256, sha384 and sha512',
    why: notSeen,
  },
  { mark: 'sha224$', name: "Werkzeug's HMAC with SHA-224", why: notSeen },
];

/** As `unsupported`, for schemes in braces. */
export const unsupportedSchemes: readonly Unsupported[] = [
  {
    mark: '{ssha',
    name: 'a salted digest of LDAP',
    why: 'SHA-224 and SHA-3: no export with it was seen so far',
  },
  { mark: '{sha', name: 'a digest of LDAP or Spring', why: 'as above' },
  { mark: '{des-crypt}', name: "crypt(3)'s DES", why: des },
  { mark: '{md', name: 'MD4', why: noMd4 },
  { mark: '{plain-md4}', name: 'MD4', why: noMd4 },
  { mark: '{nt', name: 'the hash of Windows', why: noMd4 },
  { mark: '{lanman', name: 'the LAN Manager hash of Windows', why: des },
  { mark: '{scram-', name: 'SCRAM', why: protocol },
  { mark: '{cram-md5}', name: 'CRAM-MD5', why: protocol },
  { mark: '{digest-md5}', name: 'DIGEST-MD5', why: protocol },
  { mark: '{otp}', name: 'a one-time password of OTP', why: protocol },
  {
    mark: '{pbkdf2_',
    name: "389 Directory Server's older PBKDF2",
    why: 'its key of 256 bytes is longer than a hash may have here',
  },
  {
    mark: '{pbkdf2',
    name: 'PBKDF2 in a form other than OpenLDAP and Dovecot write',
    why: "Spring's `{pbkdf2}` does not hold its iterations: convert a table of Spring with `--from spring`",
  },
  { mark: '{x-issha', name: "SAP's iterated SHA-1", why: notSeen },
  { mark: '{fshp', name: 'FSHP', why: notSeen },
];

/** DES of crypt(3) has no mark: two characters of salt and eleven of hash, where crypt(3) is named. */
export const desCrypt: Unsupported = { mark: '{crypt}', name: "crypt(3)'s DES", why: des };
export const desPattern = /^[./0-9A-Za-z]{13}$/;
