/** What the formats need besides the file of the users; their own pages in the docs say more. */

interface Format {
  readonly name: string;
  /** Further files, by the option of the command. */
  readonly files?: Readonly<Record<string, string>>;
  /** Keys of the old system. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Whether the core can read its database. */
  readonly hasDatabase?: true;
}

export const formats: Readonly<Record<string, Format>> = {
  'aspnet-identity': { name: 'ASP.NET Identity', files: { 'aspnet-logins': 'External logins' } },
  auth0: {
    name: 'Auth0',
    files: { 'auth0-hashes': 'Password hashes, from Auth0’s support', 'auth0-factors': 'Second factors' },
  },
  authjs: { name: 'Auth.js', files: { 'authjs-accounts': 'Accounts' }, hasDatabase: true },
  'azure-b2c': { name: 'Azure AD B2C' },
  'better-auth': {
    name: 'Better Auth',
    files: { 'better-auth-accounts': 'Accounts', 'better-auth-two-factor': 'Second factors' },
    secrets: { 'better-auth-secret': 'BETTER_AUTH_SECRET, for second factors' },
    hasDatabase: true,
  },
  clerk: { name: 'Clerk' },
  cognito: { name: 'Amazon Cognito' },
  devise: {
    name: 'Devise (Rails)',
    files: { 'devise-identities': 'Identities' },
    secrets: {
      pepper: 'config.pepper',
      'devise-otp-key': 'otp_secret_encryption_key',
      'rails-primary-key': 'active_record_encryption.primary_key',
      'rails-derivation-salt': 'active_record_encryption.key_derivation_salt',
    },
    hasDatabase: true,
  },
  django: {
    name: 'Django',
    files: { 'django-emails': 'Email addresses (allauth)', 'django-identities': 'Social accounts (allauth)' },
    hasDatabase: true,
  },
  firebase: { name: 'Firebase', secrets: { 'firebase-signer-key': 'base64_signer_key' } },
  fusionauth: { name: 'FusionAuth' },
  hanko: { name: 'Hanko' },
  keycloak: { name: 'Keycloak', hasDatabase: true },
  kratos: { name: 'Ory Kratos', hasDatabase: true },
  laravel: {
    name: 'Laravel',
    files: { 'laravel-accounts': 'Social accounts' },
    secrets: { 'laravel-app-key': 'APP_KEY, for second factors' },
    hasDatabase: true,
  },
  logto: { name: 'Logto', hasDatabase: true },
  native: { name: 'carryover (native records)' },
  okta: { name: 'Okta' },
  spring: { name: 'Spring Security', files: { 'spring-authorities': 'Authorities' } },
  stytch: { name: 'Stytch', files: { 'stytch-hashes': 'Password hashes' } },
  supabase: {
    name: 'Supabase',
    files: { 'supabase-identities': 'Identities', 'supabase-factors': 'Second factors' },
    hasDatabase: true,
  },
  supertokens: { name: 'SuperTokens', hasDatabase: true },
  wordpress: {
    name: 'WordPress',
    files: {
      'wordpress-usermeta': 'User meta',
      'wordpress-wordfence': 'Wordfence secrets',
      'wordpress-miniorange': 'miniOrange secrets',
    },
    secrets: { 'wordpress-2fa-key': 'WP 2FA’s secret key' },
    hasDatabase: true,
  },
  workos: { name: 'WorkOS' },
};
