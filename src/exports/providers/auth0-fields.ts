/** The fields of Auth0's files: users with their identities, hashes, and enrolments of factors. */

import type { SecondFactor } from '../../imports/model.ts';
import { carries, guards, hash, identifies, leftOut, withAbout } from '../fields/declare.ts';
import { countedHere, inUsersFile, noMeaningHere, ofTheProfile, ofTheRow } from '../fields/reasons.ts';

const ofTheProvider = 'Tokens of a provider are of the app that asked for them';
const profileFields = {
  email: carries.text('email'),
  isEmailVerified: carries.flag('email_verified'),
  name: leftOut(ofTheProfile, 'name'),
  givenName: leftOut(ofTheProfile, 'given_name'),
  familyName: leftOut(ofTheProfile, 'family_name'),
  nickname: leftOut(ofTheProfile, 'nickname'),
  username: leftOut(ofTheProfile, 'username'),
  picture: leftOut(ofTheProfile, 'picture'),
  locale: leftOut(ofTheProfile, 'locale'),
  phoneNumber: leftOut(ofTheProfile, 'phone_number'),
  isPhoneVerified: leftOut(ofTheProfile, 'phone_verified'),
} as const;

export const identityFields = {
  provider: carries.text('provider'),
  userId: carries.text('user_id'),
  connection: carries.text('connection'),
  profile: carries.record(profileFields, 'profileData'),
  isSocial: leftOut('provider says so', 'isSocial'),
  accessToken: leftOut(ofTheProvider, 'access_token'),
  accessTokenSecret: leftOut(ofTheProvider, 'access_token_secret'),
  refreshToken: leftOut(ofTheProvider, 'refresh_token'),
  expiresIn: leftOut(ofTheProvider, 'expires_in'),
} as const;

/** The factors that its import accepts. */
export const importedFactorFields = {
  totp: guards.record({ secret: guards.text('secret') }, 'totp'),
  phone: guards.object('phone'),
  email: guards.object('email'),
} as const;

export const userFields = {
  id: identifies.id('user_id', 'Id'),
  email: identifies.text('email'),
  isEmailVerified: carries.flag('email_verified'),
  phone: carries.phone('phone_number'),
  isPhoneVerified: carries.flag('phone_verified'),
  passwordHash: hash.text('password_hash'),
  customHash: hash.object('custom_password_hash'),
  identities: carries.objects(identityFields, 'identities'),
  timeJoined: carries.time('created_at'),
  isBlocked: guards.flag('blocked'),
  factors: guards.objects(importedFactorFields, 'mfa_factors'),
  enrolled: guards.texts('multifactor'),
  name: carries.text('name'),
  givenName: carries.text('given_name'),
  familyName: carries.text('family_name'),
  nickname: carries.text('nickname'),
  username: carries.text('username'),
  picture: carries.text('picture'),
  userMetadata: carries.object('user_metadata'),
  appMetadata: carries.object('app_metadata'),
  factorsChanged: leftOut(noMeaningHere, 'multifactor_last_modified'),
  passwordChanged: leftOut(noMeaningHere, 'last_password_reset'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
  lastLogin: leftOut(countedHere, 'last_login'),
  lastIp: leftOut(countedHere, 'last_ip'),
  loginsCount: leftOut(countedHere, 'logins_count'),
  blockedFor: leftOut('A block after wrong passwords ends in time, and the core has its own', 'blocked_for'),
  tenant: leftOut('A tenant of Auth0', 'tenant'),
} as const;

export const hashFields = {
  ownId: identifies.id('alt_id'),
  rowId: identifies.id('_id'),
  userId: identifies.id('user_id'),
  passwordHash: hash.text('passwordHash', 'password_hash'),
  customHash: hash.object('custom_password_hash'),
  email: leftOut(inUsersFile, 'email'),
  isEmailVerified: leftOut(inUsersFile, 'email_verified'),
  username: leftOut(inUsersFile, 'username'),
  connection: leftOut(inUsersFile, 'connection'),
  tenant: leftOut('A tenant of Auth0', 'tenant'),
  passwordChanged: leftOut(noMeaningHere, 'password_set_date'),
  isUnique: leftOut(ofTheRow, '_tmp_is_unique'),
  version: leftOut(ofTheRow, 'version', '__v'),
} as const;

/** The names of enrolments in the support's file and in Auth0's APIs. */
export const factorTypes = {
  otp: 'totp',
  totp: 'totp',
  authenticator: 'totp',
  'google-authenticator': 'totp',
  'recovery-code': 'backup',
  'recovery code': 'backup',
  sms: 'sms',
  phone: 'sms',
  voice: 'sms',
  oob: 'sms',
  email: 'email',
  push: 'push',
  'push-notification': 'push',
  guardian: 'other',
  webauthn: 'webauthn',
  'webauthn-roaming': 'webauthn',
  'webauthn-platform': 'webauthn',
  duo: 'other',
} as const;

export const factorFields = {
  userId: identifies.id('user_id'),
  type: guards.word<SecondFactor>(factorTypes, 'type', 'authenticator_type', 'factor'),
  secret: guards.text('otp_secret', 'totp_secret', 'secret'),
  recoveryCode: carries.text('recovery_code'),
  isActive: withAbout(
    'An enrolment that was not confirmed is not a factor',
    guards.flag('active', 'confirmed'),
  ),
  status: withAbout(
    'An enrolment that was not confirmed is not a factor',
    guards.word<boolean>(
      { confirmed: true, active: true, enrolled: true, pending: false, unconfirmed: false },
      'status',
    ),
  ),
  phoneNumber: leftOut('A second factor by phone is counted', 'phone_number'),
  email: leftOut('A second factor by email is counted', 'email'),
  tenant: leftOut('A tenant of Auth0', 'tenant'),
  id: leftOut(ofTheRow, 'id', '_id'),
  name: leftOut('It is of the device', 'name', 'device_name'),
  deviceId: leftOut('It is of the device', 'device_id', 'identifier'),
  createdAt: leftOut(noMeaningHere, 'created_at', 'enrolled_at'),
  updatedAt: leftOut(noMeaningHere, 'updated_at', 'last_auth_at', 'last_auth'),
} as const;
