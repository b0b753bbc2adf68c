/** Words that a twin has in common with its original: names that many systems have, and none of a user, a customer or an app. */

import { madeUpDomain } from '../../domain/email.ts';
import { protectingActions } from '../../domain/required-actions.ts';
import { stepNames } from '../../hashes/transforms/steps.ts';
import { asTyped } from '../../hashes/transforms/transforms.ts';
import { kindNames, rowOf } from '../../hashes/registry.ts';
import type { SecondFactor } from '../../imports/model.ts';

/** Public providers of mail, whose domains show nothing about a user but this choice. */
const mailDomains: readonly string[] = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'hotmail.co.uk',
  'hotmail.fr',
  'live.com',
  'msn.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.co.jp',
  'yahoo.fr',
  'yahoo.de',
  'ymail.com',
  'icloud.com',
  'me.com',
  'mac.com',
  'aol.com',
  'proton.me',
  'protonmail.com',
  'fastmail.com',
  'zoho.com',
  'gmx.de',
  'gmx.net',
  'gmx.at',
  'gmx.com',
  'web.de',
  't-online.de',
  'freenet.de',
  'mail.ru',
  'yandex.ru',
  'qq.com',
  '163.com',
  '126.com',
  'naver.com',
  'daum.net',
  'orange.fr',
  'wanadoo.fr',
  'free.fr',
  'laposte.net',
  'libero.it',
  'uol.com.br',
  'rediffmail.com',
  'comcast.net',
  'verizon.net',
  'att.net',
  'btinternet.com',
  'seznam.cz',
  'wp.pl',
  'o2.pl',
  madeUpDomain,
];

/** Sign-in providers by the names that exports and drivers give them. */
const signInProviders: readonly string[] = [
  'google',
  'google.com',
  'google-oauth2',
  'google-workspaces',
  'facebook',
  'facebook.com',
  'apple',
  'apple.com',
  'github',
  'github.com',
  'gitlab',
  'bitbucket',
  'microsoft',
  'microsoft.com',
  'windowslive',
  'azure',
  'azuread',
  'active-directory',
  'linkedin',
  'twitter',
  'twitter.com',
  'discord',
  'slack',
  'spotify',
  'twitch',
  'amazon',
  'yahoo',
  'yahoo.com',
  'keycloak',
  'okta',
  'auth0',
  'boxy-saml',
];

const methods = ['emailpassword', 'thirdparty', 'passwordless'] as const;
const factors = {
  totp: 1,
  hotp: 1,
  sms: 1,
  email: 1,
  push: 1,
  webauthn: 1,
  backup: 1,
  other: 1,
} as const satisfies Readonly<Record<SecondFactor, 1>>;
const encodings = ['base32', 'text', 'hex', 'base64', 'latin1', 'SHA1', 'SHA256', 'SHA512'] as const;

const lower = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.map((word) => word.toLowerCase()));

/** By field: the values that stay as they are, in lower case. */
export const publicWords = {
  mailDomain: lower(mailDomains),
  thirdPartyId: lower(signInProviders),
  recipeId: lower(methods),
  encoding: lower(encodings),
  secondFactor: lower(Object.keys(factors)),
  requiredAction: lower([
    ...protectingActions,
    ...protectingActions.map((each) => each.replaceAll('_', '-')),
  ]),
  hashingAlgorithm: lower(kindNames.flatMap((kind) => [kind, ...(rowOf(kind).aliases ?? [])])),
  tenantId: lower(['public']),
} as const;

const hashMarks = kindNames.flatMap((kind) =>
  [...rowOf(kind).spellings.map(([mark]) => mark), rowOf(kind).beginning ?? ''].flatMap((mark) =>
    mark.split(/[$:{}]/),
  ),
);
/** Schemes before a whole hash, and names in a hash of several parts. */
const hashWords = [
  asTyped,
  ...stepNames,

  'carryover',
  'password',
  'rounds',
  'construction',
  'argon2@springsecurity_v5_8',
  'hashfunc',
];

/** Everything above: not counted as an original value, as is each of its words. */
export const allPublicWords: ReadonlySet<string> = new Set(
  [
    ...Object.values(publicWords).flatMap((words) => [...words]),
    ...lower([...hashMarks, ...hashWords]),
  ].flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]),
);
