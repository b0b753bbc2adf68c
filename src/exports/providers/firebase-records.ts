/** Parts of users as written by `firebase auth:export`, accounts:batchGet and the Admin SDK's `listUsers`. */

import { carries, guards, hash, identifies, leftOut, withAbout } from '../fields/declare.ts';
import { countedHere, noMeaningHere, ofTheProfile } from '../fields/reasons.ts';
import { unparsable, type Parsed } from '../fields/parsed.ts';
import { objectIn, textIn } from '../fields/parts.ts';
import { parseObject } from '../fields/texts.ts';
import type { SourceRow } from './provider.ts';

const enrolledAgain = 'The factor is counted, and enrolled again';

export const identityFields = {
  provider: carries.text('providerId'),
  userId: carries.text('rawId', 'uid'),
  email: carries.text('email'),
  federatedId: leftOut('rawId is the same', 'federatedId'),
  name: leftOut(ofTheProfile, 'displayName'),
  picture: leftOut(ofTheProfile, 'photoUrl'),
  screenName: leftOut(ofTheProfile, 'screenName'),
  phone: leftOut(ofTheProfile, 'phoneNumber'),
} as const;

export const factorFields = {
  phoneInfo: guards.any('phoneInfo'),
  totpInfo: guards.any('totpInfo'),
  id: leftOut(enrolledAgain, 'mfaEnrollmentId'),
  name: leftOut(enrolledAgain, 'displayName'),
  enrolledAt: leftOut(enrolledAgain, 'enrolledAt'),
  number: leftOut(enrolledAgain, 'unobfuscatedPhoneInfo'),
} as const;

export const multiFactorFields = {
  factors: guards.objects(
    {
      kind: guards.word({ phone: 'sms', totp: 'totp' } as const, 'factorId'),
      id: leftOut(enrolledAgain, 'uid'),
      name: leftOut(enrolledAgain, 'displayName'),
      enrolledAt: leftOut(enrolledAgain, 'enrollmentTime'),
      number: leftOut(enrolledAgain, 'phoneNumber'),
    },
    'enrolledFactors',
  ),
} as const;

const metadataFields = {
  timeJoined: carries.time('creationTime'),
  lastSignIn: leftOut(countedHere, 'lastSignInTime', 'lastRefreshTime'),
} as const;

export const userFields = {
  id: identifies.id('localId', 'uid'),
  email: identifies.text('email'),
  isEmailVerified: carries.flag('emailVerified'),
  password: hash.text('passwordHash'),
  salt: hash.salt('salt', 'passwordSalt'),
  name: carries.text('displayName'),
  picture: carries.text('photoUrl'),
  timeJoined: carries.time('createdAt'),
  // Firebase stores no number without verification by a code.
  phone: carries.phone('phoneNumber'),
  isDisabled: guards.flag('disabled'),
  attributes: withAbout('In CSV a row whose claims are not JSON may be shifted: it is rejected', {
    ...identifies.object('customAttributes'),
    parse: parseClaims,
  }),
  claims: identifies.object('customClaims'),
  identities: carries.objects(identityFields, 'providerUserInfo', 'providerData'),
  factors: guards.objects(factorFields, 'mfaInfo'),
  multiFactor: guards.record(multiFactorFields, 'multiFactor'),
  metadata: carries.record(metadataFields, 'metadata'),
  end: leftOut('The empty cell after the last comma', 'end'),
  isShifted: withAbout(
    'It is made for a row whose cells are not in their columns',
    identifies.flag('isShifted'),
  ),
  lastSignIn: leftOut(countedHere, 'lastSignedInAt', 'lastLoginAt', 'lastRefreshAt'),
  passwordChanged: leftOut(noMeaningHere, 'passwordUpdatedAt'),
  validSince: leftOut('Sessions of Firebase end with the move', 'validSince', 'tokensValidAfterTime'),
  tenantId: leftOut('A tenant of Firebase: --tenant says which one of the core', 'tenantId'),
  screenName: leftOut(ofTheProfile, 'screenName'),
  version: leftOut('It is of the hash parameters', 'version'),
  customAuth: leftOut('Tokens of your own server are not a sign-in here', 'customAuth'),
  emailLink: leftOut('Every email may sign in by a link', 'emailLinkSignin'),
  initialEmail: leftOut(noMeaningHere, 'initialEmail'),
} as const;

/** Whether a record comes from the Admin SDK and not from `firebase auth:export`. */
export function isUserRecord(row: SourceRow): boolean {
  const isNamed = textIn(row.uid) !== undefined && row.localId === undefined;
  return isNamed && Array.isArray(row.providerData) && objectIn(row.metadata)?.creationTime !== undefined;
}

/**
 * Custom claims from their JSON text. In the CSV a quote after a backslash is not doubled, so that a reader ends the cell there
 * and appends the rest, including its outer quotes.
 */
function parseClaims(value: unknown): Parsed<SourceRow> {
  const parsed = parseObject(value);
  if (parsed !== unparsable || typeof value !== 'string') return parsed;
  const inner = /^"(.*)"$/s.exec(value.trim())?.[1] ?? value;
  return parseObject(inner.replace(/(\\")|""/g, (_pair, escaped?: string) => escaped ?? '"'));
}
