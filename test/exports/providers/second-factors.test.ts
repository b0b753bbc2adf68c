/** Second factors that an export names: those without a usable secret are imported as names, to be counted. */
import { expect, it } from 'vitest';
import { convertRow } from '../../helpers/framework-exports.ts';
import type { NativeUser } from '../../../src/imports/record/native-record.ts';
import { requireProvider } from '../../../src/exports/providers/index.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';

const email = 'ada@example.com';
const otp = (data: string) => ({ type: 'otp', secretData: '{"value":"s"}', credentialData: data });
const methods = (...named: string[]) => ({ twoFactor: { methods: named.map((method) => ({ method })) } });
const keys = (isPasswordless: boolean) => ({
  webauthn: { config: { credentials: [{ is_passwordless: isPasswordless }] } },
});
const otpauth = { totp: { config: { totp_url: 'otpauth://totp/a?secret=JBSWY3DP' } } };
const kratos = (credentials: SourceRow) => ({ traits: { email }, credentials });

it.each<readonly [string, SourceRow, NativeUser['secondFactors']]>([
  ['aspnet-identity', { Id: '1', Email: email, TwoFactorEnabled: 'True' }, ['other']],
  ['aspnet-identity', { Id: '1', Email: email, TwoFactorEnabled: '0' }, undefined],
  ['auth0', { user_id: 'auth0|1', email, mfa_factors: [{ phone: {} }, { email: {} }] }, ['sms', 'email']],
  ['auth0', { user_id: 'auth0|1', email, mfa_factors: [{ totp: { secret: 'JBSWY3DP' } }] }, undefined],
  ['auth0', { user_id: 'auth0|1', email, mfa_factors: [{ totp: {} }] }, ['totp']],
  [
    'auth0',
    { user_id: 'auth0|1', email, multifactor: ['guardian', 'google-authenticator'] },
    ['other', 'totp'],
  ],
  ['better-auth', { id: '1', email, twoFactorEnabled: true }, ['other']],
  [
    'clerk',
    { id: '1', primary_email_address: email, totp_enabled: true, two_factor_enabled: true },
    ['totp'],
  ],
  ['clerk', { id: '1', primary_email_address: email, two_factor_enabled: true }, ['other']],
  [
    'clerk',
    { id: '1', primary_email_address: email, totp_secret: 'JBSWY3DP', totp_enabled: true },
    undefined,
  ],
  [
    'cognito',
    { Username: '1', email, UserMFASettingList: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA'] },
    ['totp', 'sms'],
  ],
  ['cognito', { Username: '1', email, MFAOptions: [{ DeliveryMedium: 'SMS' }] }, ['sms']],
  ['cognito', { 'cognito:username': '1', email, 'cognito:mfa_enabled': 'TRUE' }, ['sms']],
  ['cognito', { 'cognito:username': '1', email, 'cognito:mfa_enabled': 'false' }, undefined],
  ['devise', { id: '1', email, otp_required_for_login: 't' }, ['totp']],
  ['firebase', { localId: '1', email, mfaInfo: [{ phoneInfo: '+1555' }, { totpInfo: {} }] }, ['sms', 'totp']],
  ['firebase', { localId: '1', email, mfaInfo: [{}] }, ['other']],
  ['fusionauth', { id: '1', email, ...methods('authenticator', 'sms', 'carrier') }, ['totp', 'sms', 'other']],
  ['fusionauth', { id: '1', email, twoFactorEnabled: true }, ['totp']],
  [
    'keycloak',
    { id: '1', email, credentials: [otp('{"subType":"hotp"}'), { type: 'webauthn' }] },
    ['hotp', 'webauthn'],
  ],
  ['keycloak', { id: '1', email, credentials: [otp('{"subType":"totp","digits":10}')] }, ['totp']],
  ['keycloak', { id: '1', email, credentials: [otp('{"subType":"totp","digits":6}')] }, undefined],
  ['keycloak', { id: '1', email, totp: true, credentials: [otp('{"subType":"totp"}')] }, undefined],
  ['keycloak', { id: '1', email, totp: true }, ['totp']],
  ['keycloak', { id: '1', email, totp: false }, undefined],
  ['kratos', kratos({ totp: { identifiers: ['1'] }, ...keys(false) }), ['totp', 'webauthn']],
  ['kratos', kratos({ ...otpauth, ...keys(true) }), undefined],
  ['laravel', { id: '1', email, two_factor_secret: 'eyJ' }, ['totp']],
  ['laravel', { id: '1', email, two_factor_secret: '\\N' }, undefined],
  [
    'logto',
    { id: '1', primary_email: email, mfa_verifications: [{ type: 'WebAuthn' }, { type: 'BackupCode' }] },
    ['webauthn'],
  ],
  [
    'logto',
    { id: '1', primary_email: email, mfa_verifications: [{ type: 'Totp', key: 'JBSWY3DP' }] },
    undefined,
  ],
  [
    'stytch',
    { user_id: '1', emails: [{ email }], totps: [{ totp_id: '1' }], webauthn_registrations: [] },
    ['totp'],
  ],
])('%s: %j', (name, row, secondFactors) => {
  const provider = requireProvider(name);
  const converted = convertRow(provider, row, { accounts: [] }, {});
  expect(converted).toMatchObject({ ok: true });
  expect(converted.ok && converted.user.secondFactors).toEqual(secondFactors);
});
