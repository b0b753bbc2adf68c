/** What sources ask of users before they are let in, in Keycloak's words, and the one that imports add. */

/** By this action users are found who are disabled because a guard in their record could not be read. */
export const checkAtSource = 'CHECK_AT_SOURCE';

/**
 * Actions without which the source accepts no sign-in by the password alone. Others, such as terms to accept or a profile
 * to complete, protect no account, and whether an email is verified is a field of its own.
 */
export const protectingActions = [
  'UPDATE_PASSWORD',
  'CONFIGURE_TOTP',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'WEBAUTHN_REGISTER',
  'WEBAUTHN_REGISTER_PASSWORDLESS',
  'CONFIGURE_MFA',
] as const;
