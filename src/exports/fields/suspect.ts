/** What a column that no field declares may be: by its name, and by what stands in it. */

import { folded } from './declare.ts';
import type { Suspicion } from './account.ts';

/** Modular crypt, LDAP schemes, and the digests of 16 to 64 bytes in hex: nothing else in a table of users is written so. */
const hashTexts =
  /^(\$[\w-]{1,20}\$|\$2[abxy]?\$|\{[\w.-]{2,20}\}\S{8,}$|[0-9a-f]{32}$|[0-9a-f]{40}$|[0-9a-f]{64}$|[0-9a-f]{96}$|[0-9a-f]{128}$|(pbkdf2|scrypt|argon2|sha\d*|bcrypt|md5)[\w:-]*[$:])/i;

const byName: readonly (readonly [Suspicion, RegExp])[] = [
  ['salt', /salt$|^salt/],
  ['hash', /passw|pwd|hash$|digest$|^crypt|encrypted/],
  [
    'guard',
    /disab|block|bann|suspend|lock|delet|inactiv|activ|enabl|status$|^state$|approv|expir|archiv|reject|frozen|restrict|forbid|deactiv|closed|^removed/,
  ],
  ['factor', /totp|otp|mfa|2fa|twofactor|twostep|webauthn|passkey|authenticator|recoverycode|backupcode/],
  ['date', /(date|time|at|on)$|^(date|time)|created|updated|joined|registered/],
  ['id', /id$|^uid|uuid|guid|key$|external/],
];
/** Words that end like a suspicious one and are not. */
const harmless =
  /^(format|chat|stat|location|description|position|version|region|season|person|paid|avatar|phonenumber)$/;

/** By the name alone. */
export function suspicionOfName(name: string): Suspicion | undefined {
  const text = folded(name.split('.').at(-1) ?? name);
  if (harmless.test(text)) return undefined;
  return byName.find(([, pattern]) => pattern.test(text))?.[0];
}

/** Whether a value is written as hashes are. Digits alone do not count: a number may have 32 of them. */
export function looksLikeHash(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 13 && hashTexts.test(value) && !/^\d+$/.test(value);
}
