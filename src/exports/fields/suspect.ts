/** What an undeclared column may be: by its name, and by its values. */

import { folded } from './declare.ts';
import { parseFlag } from './flags.ts';
import { unparsable } from './parsed.ts';
import type { Suspicion } from './account.ts';

/**
 * Modular crypt, LDAP schemes, XenForo's, and the digests of 16 to 64 bytes in hex: nothing else in a table of users has this
 * form.
 */
const hashTexts =
  /^(\$[\w-]{1,20}\$|\$2[abxy]?\$|\{[\w.-]{2,20}\}\S{8,}$|[0-9a-f]{32}$|[0-9a-f]{40}$|[0-9a-f]{64}$|[0-9a-f]{96}$|[0-9a-f]{128}$|a:[13]:\{s:4:"hash";s:\d\d:|(pbkdf2|scrypt|argon2|sha\d*|bcrypt|md5)[\w:-]*[$:])/i;

/** Complete hashes that show their kind, in a longer text: a serialised object, JSON within CSV. */
const hashWithin = /\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}(?![./A-Za-z0-9])|\$argon2(?:id|i|d)\$v=\d+\$m=\d+/;

/**
 * Words for permission to sign in, in the folded names of English systems and of tables in the languages of Excel's flags. They
 * are beginnings of words: `gesperrt_am`, `compteBloque`, `is_inactive`.
 */
const guardWords = [
  'disab',
  'enabl',
  'block',
  'bann',
  '^ban',
  'ban$',
  'suspend',
  'lock',
  'delet',
  'activ',
  'approv',
  'expir',
  'archiv',
  'reject',
  'frozen',
  'restrict',
  'forbid',
  'prohibit',
  'closed',
  '^(?:is)?removed',
  'revok',
  'terminat',
  'trashed',
  'spam',
  'nologin',
  'canlogin',
  'allowlogin',
  'loginallowed',
  'placeholder',
  'guest',
  'useraccountcontrol',
  'status',
  '(?:^|user|account|member|login)state$',
  'moderat',
  'quarantin',
  'staged',
  // German.
  'sperr',
  'aktiv',
  'gelöscht',
  'geloescht',
  'gekündigt',
  'gekuendigt',
  'freigeschaltet',
  'freigegeben',
  'zustand',
  // French, and stems that Romance and Slavic languages share.
  'bloqu',
  'blocc',
  'blokk',
  'blokov',
  'blokad',
  'zablok',
  'banni',
  'supprim',
  'actif',
  'etat$',
  'état$',
  'statut',
  // Portuguese, Spanish, Italian.
  'ativo',
  'excluid',
  'habilitad',
  'eliminad',
  'estado',
  'estatus',
  'attivo',
  'sospes',
  'eliminat',
  'stato$',
  // Dutch, Polish, Czech, the Scandinavian languages.
  'actief',
  'verwijderd',
  'aktywn',
  'usuniet',
  'usunięt',
  'smazan',
  'spärra',
  'sparrad',
  'låst',
  'slettet',
  'aktif',
  // Turkish, Russian, Chinese, Japanese.
  'engell',
  'silindi',
  'yasak',
  'заблок',
  'актив',
  'удал',
  'бан',
  'статус',
  '状态',
  '禁用',
  '停止',
  '退会',
  '有効',
  '無効',
] as const;
const guardName = new RegExp(guardWords.join('|'));

/** Names with such a word that block no user: counters, locks of rows, tokens and times of last events. */
const noGuardName =
  /token|failed|fails|failure|attempt|lastactiv|activity|activation(?:code|key|hash)|lockversion|optlock|lockoutenabled|unlock|clock|notif|newsletter|subscri|emailconfirm|phone|twofactor|password|passwd|count$|points$|url$/;

export const factorName =
  /totp|otp|otep|mfa|2fa|^tfa|twofa|twofactor|twostep|multifactor|secondfactor|webauthn|passkey|authenticator|recoverycode|backupcode|u2f/;

/** Of a folded name. */
export function isGuardName(name: string): boolean {
  return guardName.test(name) && !noGuardName.test(name);
}

/** Properties of passwords: when they were changed, and how they were hashed. */
const ofPassword =
  /chang|updat|reset|expir|must|force|temp|hint|question|algo|scheme|method|type$|version$|(?:at|on|date|time)$/;
/** Random values that are written in hexadecimal digits, too. */
const tokenName = /token|stamp|session|nonce|secret|apikey|checksum|etag|gravatar|fingerprint/;

const byName: readonly (readonly [Suspicion, (name: string) => boolean])[] = [
  ['salt', (name) => /salt$|^salt$/.test(name)],
  [
    'hash',
    (name) =>
      /passw|pwd|hash$|digest$|^crypt|encrypted/.test(name) &&
      !ofPassword.test(name) &&
      !tokenName.test(name),
  ],
  ['guard', isGuardName],
  ['factor', (name) => factorName.test(name)],
  ['date', (name) => /(date|time|at|on)$|^(date|time)|created|updated|joined|registered/.test(name)],
  ['id', (name) => /id$|^uid|uuid|guid|key$|external/.test(name)],
];
/** Harmless words that end like a suspicious one. */
const harmless =
  /^(format|chat|stat|location|description|position|version|region|season|person|paid|avatar|phonenumber)$/;

/**
 * For a path through records within records, the last name, without those of types: DynamoDB has `email.S`, Firestore
 * `email.stringValue`.
 */
export function lastName(way: string): string {
  // Headers for people contain dots, too: Kunden-Nr.
  if (!/^[^\s.]+(?:\.[^\s.]+)+$/.test(way)) return way;
  const names = way.split('.').filter((each) => !/^(?:\d+|S|N|B|BOOL|NULL|M|L|\w+Value)$/.test(each));
  return names.at(-1) ?? way;
}

/** By the name alone. */
export function suspicionOfName(name: string): Suspicion | undefined {
  const text = folded(lastName(name));
  if (harmless.test(text)) return undefined;
  return byName.find(([, isOf]) => isOf(text))?.[0];
}

/** Characters. A shorter value may be the name of an algorithm with its cost: `pbkdf2$50000$50`. */
const shortestHash = 20;

/** By the name, unless the value contradicts it: flags and numbers are neither hashes nor salts. */
export function suspicionOf(name: string, value: unknown): Suspicion | undefined {
  const found = suspicionOfName(name);
  const isSecret = found === 'hash' || found === 'salt';
  if (isSecret && parseFlag(value) !== unparsable) return undefined;
  // The name of an algorithm. A password in clear text may be as short.
  const isShort = typeof value === 'string' && value.length < shortestHash;
  return found === 'hash' && isShort && /hash$|digest$/.test(folded(name)) ? undefined : found;
}

/** Whether a column of this name may contain tokens: digits alone do not make them hashes. */
export function isTokenName(name: string): boolean {
  return tokenName.test(folded(name));
}

/**
 * Whether a value has the form of a hash. Digits alone do not count: a number may have 32 of them.
 * @param isToken of a column of tokens, which are written in hexadecimal digits, too
 */
export function looksLikeHash(value: unknown, isToken = false): boolean {
  if (typeof value !== 'string' || value.length < shortestHash || /^\d+$/.test(value)) return false;
  return hashTexts.test(value) && !(isToken && /^[0-9a-f]+$/i.test(value));
}

/** Whether a longer text, or an object, contains a whole hash. */
export function holdsHash(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return hashWithin.test(JSON.stringify(value));
  return typeof value === 'string' && hashWithin.test(value);
}
