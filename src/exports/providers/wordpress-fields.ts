/** The tables and keys that plug-ins add to WordPress for second factors. */

import { carries, guards, identifies, leftOut, type Values } from '../fields/declare.ts';
import { ofTheRow } from '../fields/reasons.ts';
import { unparsable } from '../fields/parsed.ts';

/**
 * WordPress adds slashes to everything that a form sends (wp_magic_quotes in wp-includes/load.php), and hashes and compares
 * passwords with them: wp_signon uses `$_POST['pwd']` unchanged (wp-includes/user.php). It trims them in wp_authenticate and
 * wp_hash_password (wp-includes/pluggable.php). Plug-ins, WP-CLI and headless sites remove the slashes, so both forms are stored.
 */
export const passwordForms = 'slashed,trimmed|trimmed';

const ofMethod = 'It follows from the method that is set up';

/** Bytes, which may begin or end with a blank. */
function parseBytes(value: unknown): string | typeof unparsable {
  return typeof value === 'string' ? value : unparsable;
}

/** wp_wfls_2fa_secrets of Wordfence Login Security. */
export const wordfenceFields = {
  userId: identifies.id('user_id'),
  secret: { ...guards.text('secret'), parse: parseBytes },
  recovery: { ...carries.text('recovery'), parse: parseBytes },
  mode: guards.text('mode'),
  id: leftOut(ofTheRow, 'id'),
  createdAt: leftOut(ofTheRow, 'ctime'),
  usedAt: leftOut(ofTheRow, 'vtime'),
} as const;

export type Wordfence = Values<typeof wordfenceFields>;

/** wp_mo2f_user_details of miniOrange. */
export const miniOrangeFields = {
  userId: identifies.id('user_id'),
  isOn: guards.flag('mo2f_2factor_enable_2fa_byusers'),
  method: guards.text('mo2f_configured_2FA_method'),
  email: leftOut('A code goes to the email of the user', 'mo2f_user_email'),
  phone: leftOut('Factors by phone are counted: the core has none by a second number', 'mo2f_user_phone'),
  sms: leftOut(ofMethod, 'mo2f_OTPOverSMS_config_status'),
  push: leftOut(ofMethod, 'mo2f_miniOrangePushNotification_config_status'),
  qrCode: leftOut(ofMethod, 'mo2f_miniOrangeQRCodeAuthentication_config_status'),
  softToken: leftOut(ofMethod, 'mo2f_miniOrangeSoftToken_config_status'),
  authy: leftOut(ofMethod, 'mo2f_AuthyAuthenticator_config_status'),
  emailStatus: leftOut(ofMethod, 'mo2f_EmailVerification_config_status'),
  questions: leftOut(ofMethod, 'mo2f_SecurityQuestions_config_status'),
  google: leftOut(ofMethod, 'mo2f_GoogleAuthenticator_config_status'),
  mobile: leftOut(ofMethod, 'mobile_registration_status'),
  registered: leftOut(ofMethod, 'user_registration_with_miniorange'),
  registration: leftOut(ofMethod, 'mo_2factor_user_registration_status'),
} as const;

export type MiniOrange = Values<typeof miniOrangeFields>;
