/** Marks users who are disabled because a guard in their record could not be read. */
export const checkAtSource = 'CHECK_AT_SOURCE';

/**
 * Actions without which the source refuses a sign-in by password alone, in Keycloak's words. Others, such as accepting terms,
 * protect no account; email verification is a separate field.
 */
export const protectingActions = [
  'UPDATE_PASSWORD',
  'CONFIGURE_TOTP',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'WEBAUTHN_REGISTER',
  'WEBAUTHN_REGISTER_PASSWORDLESS',
  'CONFIGURE_MFA',
] as const;
