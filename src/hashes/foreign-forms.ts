/**
 * Hashes in forms of other systems that this core verifies but has no spelling for: a scheme or a version before a whole hash, or
 * another string for the same construction. They are converted to the string that is parsed and stored.
 */

import { digestString, hmacString, pbkdf2String } from './fields.ts';
import { constructed } from './kinds/construction.ts';
import { parseConstruction } from './parts/construction.ts';
import { digestBytes, type DigestName } from './parts/digested.ts';
import { decodeBase64, decodeHex, encodeBare } from './parts/encodings.ts';
import type { HashKindName } from './registry.ts';

/** The same hash in a form that is parsed and stored here. */
export interface PlainForm {
  readonly hash: string;
  /** The kind to read it as, if `hash` does not show it. */
  readonly kind?: HashKindName;
  /** Kinds by whose name an import may refer to the whole string, as well as by that of `hash`. */
  readonly alsoNamed?: readonly HashKindName[];
}

type Reader = (inside: string) => PlainForm | undefined;

const dollar = 0x24;
const brace = 0x7b;
const asterisk = 0x2a;
const bar = 0x7c;
const colon = 0x3a;
/** The beginning of an array as PHP serialises it. */
const phpArray = 'a:';
/** Longest scheme in braces: `{argon2@springsecurity_v5_8}` has 28 characters. */
const schemeCharactersLimit = 40;
/** Base64 of a SHA-1 with its padding: the part of aspnet_Membership's hash before its first bar. */
const sha1Characters = 28;
const bcryptCharacters = 60;

/** The form of `hash` that is parsed here, undefined if it is in none of the forms below. */
export function plainForm(hash: string): PlainForm | undefined {
  switch (hash.charCodeAt(0)) {
    case dollar:
      return ofMagentoBcrypt(hash);
    case brace:
      return readScheme(schemes, hash);
    case asterisk:
      return ofMysql(hash);
    case colon:
      return ofMediaWiki(hash);
    default:
      break;
  }
  if (hash.charCodeAt(1) === bar) return ofNextcloud(hash);
  if (hash.charCodeAt(sha1Characters) === bar) return ofMembership(hash);
  if (hash.startsWith(phpArray)) return ofXenForo(hash);
  return ofMagento(hash) ?? ofWerkzeug(hash);
}

/**
 * The hash in `hash` after a prefix that Django or Spring adds to whole hashes; undefined without such a prefix. The import of a
 * single hash refuses them by name; a table of such a system has them by design.
 */
export function unprefixed(hash: string): PlainForm | undefined {
  return hash.startsWith('{') ? readScheme(prefixes, hash) : ofDjango(hash);
}

const bcryptInside = /^\$2[abxy]\$/;
const cryptInside = /^\$(?:2[abxy]|[156])\$/;
const argon2Inside = /^\$argon2(?:id|i|d)\$/;

/** `{SCHEME}` in any case (RFC 2307 section 5.3). */
function readScheme(readers: ReadonlyMap<string, Reader>, hash: string): PlainForm | undefined {
  const end = hash.indexOf('}');
  if (end < 0 || end > schemeCharactersLimit) return undefined;
  return readers.get(hash.slice(1, end).toLowerCase())?.(hash.slice(end + 1));
}

/** A whole hash after a scheme. */
function whole(pattern: RegExp): Reader {
  return (inside) => (pattern.test(inside) ? { hash: inside } : undefined);
}

const wholeCrypt = whole(cryptInside);
const wholeBcrypt = whole(bcryptInside);
const wholeArgon2 = whole(argon2Inside);
const springScrypt: Reader = (inside) => ({ hash: inside, kind: 'scrypt' });

/** A digest whose scheme or encoding Dovecot writes differently from LDAP: hexadecimal by its length or by name. */
function digest(scheme: string, name: DigestName): Reader {
  return (inside) => {
    if (inside.length !== 2 * digestBytes[name]) return undefined;
    return inHex(scheme)(inside);
  };
}

function inHex(scheme: string): Reader {
  return (inside) => {
    const bytes = decodeHex(inside);
    return bytes === undefined ? undefined : { hash: `{${scheme}}${bytes.toString('base64')}` };
  };
}

function inBase64(scheme: string): Reader {
  return (inside) => ({ hash: `{${scheme}}${inside}` });
}

function either(...readers: readonly Reader[]): Reader {
  return (inside) => {
    for (const read of readers) {
      const found = read(inside);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** OpenLDAP's pw-pbkdf2, and passlib after it: passlib's own form with another mark. */
function ldapPbkdf2(name: 'sha1' | 'sha256' | 'sha512'): Reader {
  return (inside) => (/^\d+\$/.test(inside) ? { hash: `$pbkdf2-${name}$${inside}` } : undefined);
}

/** Dovecot's `{PBKDF2}$1$salt$rounds$hex` (src/auth/password-scheme-pbkdf2.c): HMAC-SHA1, the salt as text. */
function dovecotPbkdf2(inside: string): PlainForm | undefined {
  const parts = inside.split('$', 6);
  const [, version, salt = '', rounds = '', hex = ''] = parts;
  const key = decodeHex(hex);
  if (parts.length !== 5 || version !== '1' || key?.length !== digestBytes.sha1) return undefined;
  const bytes = `${encodeBare(Buffer.from(salt))}$${encodeBare(key)}`;
  return { hash: `$pbkdf2-sha1$i=${rounds},l=${key.length}$${bytes}` };
}

/** Atlassian's PasswordEncoder: 16 bytes of salt and 32 of key, PBKDF2-HMAC-SHA1 in 10,000 iterations. */
const atlassian = { saltBytes: 16, keyBytes: 32, iterations: 10_000 } as const;

function ofAtlassian(inside: string): PlainForm | undefined {
  const { saltBytes, keyBytes, iterations } = atlassian;
  const bytes = decodeBase64(inside, 'padded');
  if (bytes?.length !== saltBytes + keyBytes) return undefined;
  const parts = `${encodeBare(bytes.subarray(0, saltBytes))}$${encodeBare(bytes.subarray(saltBytes))}`;
  return { hash: `$pbkdf2-sha1$i=${iterations},l=${keyBytes}$${parts}` };
}

/** LDAP's digests by Dovecot's names, which also has their hexadecimal digits, the unsalted ones recognised by their length alone. */
function dovecotDigests(): [string, Reader][] {
  const unsalted = [
    ['md5', 'md5'],
    ['sha', 'sha1'],
    ['sha256', 'sha256'],
    ['sha384', 'sha384'],
    ['sha512', 'sha512'],
  ] as const;
  const named = unsalted.flatMap(([scheme, name]) => [
    [scheme, digest(scheme, name)] as [string, Reader],
    ...encoded(scheme, scheme),
    ...encoded(`s${scheme}`, `s${scheme}`),
  ]);
  return [
    ...named,
    ['sha1', either(digest('sha', 'sha1'), inBase64('sha'))],
    ...encoded('sha1', 'sha'),
    ['plain-md5', digest('md5', 'md5')],
    ...encoded('plain-md5', 'md5'),
    ['ldap-md5', inBase64('md5')],
    ...encoded('ldap-md5', 'md5'),
  ];
}

/** The suffixes by which Dovecot names an encoding. */
function encoded(name: string, scheme: string): [string, Reader][] {
  return [
    [`${name}.hex`, inHex(scheme)],
    [`${name}.b64`, inBase64(scheme)],
    [`${name}.base64`, inBase64(scheme)],
  ];
}

/** Schemes of LDAP, Dovecot and Atlassian. */
const schemes: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...dovecotDigests(),
  ['crypt', wholeCrypt],
  ['sha512-crypt', wholeCrypt],
  ['sha256-crypt', wholeCrypt],
  ['md5-crypt', wholeCrypt],
  // For Dovecot an old name of MD5-CRYPT, for LDAP the digest.
  ['md5', either(whole(/^\$1\$/), digest('md5', 'md5'))],
  ['blf-crypt', wholeBcrypt],
  ['argon2i', wholeArgon2],
  ['argon2id', wholeArgon2],
  ['pbkdf2', either(ldapPbkdf2('sha1'), dovecotPbkdf2)],
  ['pbkdf2-sha1', ldapPbkdf2('sha1')],
  ['pbkdf2-sha256', ldapPbkdf2('sha256')],
  ['pbkdf2-sha512', ldapPbkdf2('sha512')],
  ['pkcs5s2', ofAtlassian],
]);

/** Ids of Spring's encoders, and OpenLDAP's `{ARGON2}`. */
const prefixes: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['bcrypt', wholeBcrypt],
  ['argon2', wholeArgon2],
  ['argon2@springsecurity_v5_8', wholeArgon2],
  ['scrypt', springScrypt],
  ['scrypt@springsecurity_v5_8', springScrypt],
  ['ldap', whole(/^\{/)],
]);

/** MySQL's PASSWORD() since 4.1, mysql_native_password: `*` and the SHA-1 of the SHA-1 of the password. */
function ofMysql(hash: string): PlainForm | undefined {
  if (!/^\*[0-9A-Fa-f]{40}$/.test(hash)) return undefined;
  return { hash: digestString({ digest: 'sha1', hash: Buffer.from(hash.slice(1), 'hex'), iterations: 2 }) };
}

/** Nextcloud's version of its hasher before a whole hash (lib/private/Security/Hasher.php): 1, 2 or 3. */
function ofNextcloud(hash: string): PlainForm | undefined {
  const inside = hash.slice(2);
  const isWhole = bcryptInside.test(inside) || argon2Inside.test(inside);
  return /^[123]/.test(hash) && isWhole ? { hash: inside } : undefined;
}

/** `hash|1|salt`, the form in which Microsoft's guide moves aspnet_Membership: SHA-1 of the salt and the password in UTF-16. */
const membership = /^([A-Za-z0-9+/]{27}=)\|1\|([A-Za-z0-9+/]+={0,2})$/;

function ofMembership(hash: string): PlainForm | undefined {
  const [, text = '', saltText = ''] = membership.exec(hash) ?? [];
  const [bytes, salt] = [decodeBase64(text, 'padded'), decodeBase64(saltText, 'padded')];
  if (bytes?.length !== digestBytes.sha1 || salt === undefined || salt.length === 0) return undefined;
  const fields = { hash: bytes, salt, position: 'prefix', passwordEncoding: 'utf16le' } as const;
  return { hash: digestString({ digest: 'sha1', ...fields }), alsoNamed: ['aspnet'] };
}

/** MediaWiki's hash of a hash (`:B:`), as `--hash-as` would state it. */
const mediaWikiSalted = parseConstruction("md5(salt.'-'.md5(password))");

/**
 * MediaWiki's `:type:…` (includes/password): `:A:md5`, `:B:salt:md5` until 1.23; since then `:pbkdf2:digest:rounds:bytes:salt:key`, salt and key
 * in base64.
 */
function ofMediaWiki(hash: string): PlainForm | undefined {
  const [, type, ...parts] = hash.split(':', 8);
  if (type === 'A' && parts.length === 1) return { hash: parts[0] ?? '', kind: 'md5' };
  if (type === 'B' && parts.length === 2) return ofSaltedMd5(parts);
  return type === 'pbkdf2' && parts.length === 5 ? ofMediaWikiPbkdf2(parts) : undefined;
}

function ofSaltedMd5([salt = '', hex = '']: readonly string[]): PlainForm | undefined {
  const digest = decodeHex(hex);
  const made = mediaWikiSalted;
  if (digest?.length !== digestBytes.md5 || typeof made === 'string' || made.is !== 'digest')
    return undefined;
  return { hash: constructed(made, Buffer.from(salt), digest) };
}

function ofMediaWikiPbkdf2(parts: readonly string[]): PlainForm | undefined {
  const [digest = '', rounds, , saltText = '', keyText = ''] = parts;
  const [salt, key] = [decodeBase64(saltText, 'any'), decodeBase64(keyText, 'any')];
  if (!isPbkdf2Digest(digest) || salt === undefined || key === undefined) return undefined;
  return { hash: pbkdf2String({ digest, iterations: Number(rounds), salt, key }) };
}

function isPbkdf2Digest(name: string): name is 'sha1' | 'sha256' | 'sha512' {
  return name === 'sha1' || name === 'sha256' || name === 'sha512';
}

/** XenForo's `XF:Core` (before 1.2), as `--hash-as` would state it. */
const xenForoDigests = {
  sha1: parseConstruction('sha1(sha1(password).salt)'),
  sha256: parseConstruction('sha256(sha256(password).salt)'),
} as const;

const xenForoDigest =
  /^a:3:\{s:4:"hash";s:\d\d:"([0-9a-f]+)";s:4:"salt";s:\d+:"([^"]*)";s:8:"hashFunc";s:\d:"(sha1|sha256)";\}$/;

/**
 * XenForo's serialised arrays (xf_user_authenticate.data): since 1.2 with the bcrypt of the password, before with a digest, its salt and its
 * name.
 */
function ofXenForo(data: string): PlainForm | undefined {
  const [, inside] = /^a:1:\{s:4:"hash";s:60:"([^"]{60})";\}$/.exec(data) ?? [];
  if (inside !== undefined) return bcryptInside.test(inside) ? { hash: inside } : undefined;
  const [, hex = '', salt = '', name] = xenForoDigest.exec(data) ?? [];
  const digest = name === 'sha256' ? 'sha256' : 'sha1';
  const [bytes, made] = [decodeHex(hex), xenForoDigests[digest]];
  if (name === undefined || bytes?.length !== digestBytes[digest]) return undefined;
  if (typeof made === 'string' || made.is !== 'digest') return undefined;
  return { hash: constructed(made, Buffer.from(salt), bytes) };
}

/** Magento 1 since SUPEE-11219, moved to Magento 2 by its migration tool: a whole bcrypt hash and `:0`. */
function ofMagentoBcrypt(hash: string): PlainForm | undefined {
  const isWhole = hash.length === bcryptCharacters + 2 && hash.endsWith(':0') && bcryptInside.test(hash);
  return isWhole ? { hash: hash.slice(0, bcryptCharacters) } : undefined;
}

/** Magento 2's `hash:salt:version` (Framework/Encryption/Encryptor.php): 0 is MD5 and 1 SHA-256 of the salt and the password. */
const magento = /^([0-9a-f]{32}(?=.*:0$)|[0-9a-f]{64}(?=.*:1$)):([^:]{2,64}):[01]$/;

function ofMagento(hash: string): PlainForm | undefined {
  const [, hex = '', salt = ''] = magento.exec(hash) ?? [];
  const bytes = decodeHex(hex);
  if (bytes === undefined || salt === '') return undefined;
  const digest = bytes.length === digestBytes.md5 ? 'md5' : 'sha256';
  return { hash: digestString({ digest, hash: bytes, salt: Buffer.from(salt), position: 'prefix' }) };
}

/** Django's name of a hasher before a whole hash; some exporters leave the delimiter out. */
function ofDjango(hash: string): PlainForm | undefined {
  const name = /^(?:bcrypt\$?(?=\$2[abxy]\$)|argon2\$?(?=\$argon2(?:id|i|d)\$))/.exec(hash)?.[0];
  return name === undefined ? undefined : { hash: hash.slice(name.length) };
}

/**
 * Werkzeug's `sha256$salt$hex` before version 3: an HMAC with the salt, as text, for its key; the digest of the password if the
 * salt is empty. Its `md5$` and `sha1$` look like Django's digests: an import has to name those `hmac`.
 */
function ofWerkzeug(hash: string): PlainForm | undefined {
  const [, name = '', salt = '', hex = ''] = /^(sha(?:256|384|512))\$([^$]*)\$([0-9a-f]+)$/.exec(hash) ?? [];
  const bytes = decodeHex(hex);
  if (bytes === undefined || name === '') return undefined;
  const fields = { digest: name as 'sha256' | 'sha384' | 'sha512', hash: bytes };
  return { hash: salt === '' ? digestString(fields) : hmacString({ ...fields, key: Buffer.from(salt) }) };
}
