/** Users who may not sign in at the source: stated if the export has it, either way, and left out if not. */
import { describe, expect, it } from 'vitest';
import { convertRow } from '../../helpers/framework-exports.ts';
import type { NativeUser } from '../../../src/imports/record/native-record.ts';
import { requireProvider } from '../../../src/exports/providers/index.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';

const email = 'a@example.com';

/** A row of each system without such a statement. */
const rows = {
  auth0: { user_id: 'auth0|1', email },
  'aspnet-identity': { Id: '1', Email: email },
  authjs: { id: '1', email },
  'better-auth': { id: '1', email, emailVerified: true },
  clerk: { id: 'user_1', primary_email_address: email },
  cognito: {
    UserStatus: 'CONFIRMED',
    Attributes: [
      { Name: 'sub', Value: '1' },
      { Name: 'email', Value: email },
    ],
  },
  devise: { id: '1', email },
  django: { id: '1', email },
  firebase: { localId: '1', email },
  fusionauth: { id: '1', email },
  keycloak: { id: '1', email },
  kratos: { id: '1', traits: { email } },
  laravel: { id: '1', email },
  logto: { id: '1', primaryEmail: email },
  okta: { id: '1', profile: { email } },
  spring: { username: email },
  stytch: { user_id: '1', emails: [{ email }] },
  supabase: { id: '1', email },
  wordpress: { ID: '1', user_email: email },
} satisfies Readonly<Record<string, SourceRow>>;
type Name = keyof typeof rows;

function converted(name: Name, more: SourceRow): NativeUser {
  const provider = requireProvider(name);
  const conversion = convertRow(provider, { ...rows[name], ...more }, { accounts: [] }, {});
  if (!conversion.ok) throw new Error(conversion.reason.message);
  return conversion.user;
}

it.each(Object.keys(rows) as Name[])('%s: is not stated where the export does not say it', (name) => {
  const user = converted(name, {});
  expect(user).not.toHaveProperty('isDisabled');
  expect(user).not.toHaveProperty('requiredActions');
});

describe('is stated either way', () => {
  it.each<[Name, SourceRow, boolean]>([
    ['auth0', { blocked: true }, true],
    ['auth0', { blocked: 'false' }, false],
    ['aspnet-identity', { LockoutEnd: null }, false],
    ['better-auth', { banned: true }, true],
    ['better-auth', { banned: 1, banExpires: '2999-01-01T00:00:00Z' }, true],
    ['better-auth', { banned: true, ban_expires: '2020-01-01T00:00:00Z' }, false],
    ['better-auth', { banned: false }, false],
    ['clerk', { banned: true, locked: false }, true],
    ['clerk', { banned: false, locked: true }, true],
    ['clerk', { banned: false, locked: false }, false],
    ['cognito', { Enabled: false }, true],
    ['cognito', { Enabled: true, UserStatus: 'COMPROMISED' }, true],
    ['cognito', { UserStatus: 'ARCHIVED' }, true],
    ['cognito', { Enabled: true }, false],
    ['devise', { suspended_at: '2024-01-01 00:00:00' }, true],
    ['devise', { suspended_at: '' }, false],
    ['devise', { active: 'f' }, true],
    ['django', { is_active: '0' }, true],
    ['django', { is_active: true }, false],
    ['firebase', { disabled: true }, true],
    ['firebase', { disabled: false }, false],
    ['fusionauth', { active: false }, true],
    ['fusionauth', { active: true }, false],
    ['keycloak', { enabled: false }, true],
    ['keycloak', { enabled: true }, false],
    ['kratos', { state: 'inactive' }, true],
    ['kratos', { state: 'active' }, false],
    ['laravel', { is_banned: 1, is_active: 1 }, true],
    ['laravel', { blocked_at: '2024-01-01 00:00:00' }, true],
    ['laravel', { is_active: '1' }, false],
    ['logto', { isSuspended: true }, true],
    ['logto', { is_suspended: 'f' }, false],
    ['okta', { status: 'SUSPENDED' }, true],
    ['okta', { status: 'DEPROVISIONED' }, true],
    ['okta', { status: 'ACTIVE' }, false],
    ['okta', { status: 'STAGED' }, true],
    ['okta', { status: 'PROVISIONED' }, false],
    ['okta', { status: 'LOCKED_OUT' }, false],
    ['stytch', { is_locked: true }, true],
    ['stytch', { is_locked: true, lock_expires_at: '2020-01-01T00:00:00Z' }, false],
    ['clerk', { deprovisioned: true }, true],
    ['firebase', { disabled: 'WAHR' }, true],
    ['spring', { enabled: 'false' }, true],
    ['spring', { enabled: '1', account_non_locked: '0' }, true],
    ['spring', { enabled: '1', account_non_expired: 'f' }, true],
    ['spring', { enabled: 't', account_non_locked: 't' }, false],
    ['supabase', { banned_until: '2999-01-01 00:00:00+00' }, true],
    ['supabase', { banned_until: 'infinity' }, true],
    ['supabase', { banned_until: '2020-01-01 00:00:00+00' }, false],
    ['supabase', { banned_until: '' }, false],
    ['wordpress', { spam: '1' }, true],
    ['wordpress', { spam: '0' }, false],
  ])('%s: %j', (name, more, isDisabled) => {
    expect(converted(name, more).isDisabled).toBe(isDisabled);
  });
});

const far = '2999-01-01T00:00:00.000Z';
const farMs = Date.parse(far);

describe('a lock keeps its end', () => {
  it.each<[Name, SourceRow, number | boolean]>([
    ['aspnet-identity', { LockoutEnd: far, LockoutEnabled: 'true' }, farMs],
    ['better-auth', { banned: true, banExpires: far }, farMs],
    ['better-auth', { banned: true, banExpires: null }, true],
    ['clerk', { locked: true, lockout_expires_in_seconds: 60, updated_at: farMs }, farMs + 60_000],
    ['clerk', { locked: true, lockout_expires_in_seconds: 60, updated_at: 1_700_000_000_000 }, false],
    ['clerk', { locked: true, lockout_expires_in_seconds: null, updated_at: 1_700_000_000_000 }, true],
    ['clerk', { banned: true, locked: true, lockout_expires_in_seconds: 60, updated_at: farMs }, true],
    ['devise', { banned_until: far }, farMs],
    ['devise', { banned_until: far, suspended_until: '2999-01-02T00:00:00Z' }, farMs + 86_400_000],
    ['laravel', { blocked_until: far, is_banned: 1 }, true],
    ['laravel', { suspended_until: far, is_active: 1 }, farMs],
    ['authjs', { suspended_until: '9999-12-31 23:59:59' }, true],
    ['authjs', { suspended_until: '2020-01-01' }, false],
    ['supabase', { banned_until: far }, farMs],
    ['supabase', { banned_until: 'infinity' }, true],
  ])('%s: %j', (name, more, disabled) => {
    const { isDisabled, disabledUntil } = converted(name, more);
    expect(isDisabled).toBe(disabled !== false);
    expect(disabledUntil).toBe(typeof disabled === 'number' ? disabled : undefined);
  });

  it('clerk: a lock in a record without a time counts from the conversion', () => {
    const before = Date.now();
    const { disabledUntil = 0 } = converted('clerk', { locked: true, lockout_expires_in_seconds: 600 });
    expect(disabledUntil).toBeGreaterThanOrEqual(before + 600_000);
    expect(disabledUntil).toBeLessThanOrEqual(Date.now() + 600_000);
  });

  it('fusionauth: an account that has expired is disabled, and one that will is not', () => {
    expect(converted('fusionauth', { active: true, expiry: 1_700_000_000_000 }).isDisabled).toBe(true);
    expect(converted('fusionauth', { active: true, expiry: farMs }).isDisabled).toBe(false);
  });
});

describe('what the source asks of the person', () => {
  it.each<[Name, SourceRow, readonly string[]]>([
    ['keycloak', { requiredActions: ['UPDATE_PASSWORD', 'terms'] }, ['UPDATE_PASSWORD', 'terms']],
    ['fusionauth', { passwordChangeRequired: true }, ['UPDATE_PASSWORD']],
    ['okta', { status: 'PASSWORD_EXPIRED' }, ['UPDATE_PASSWORD']],
    ['okta', { status: 'RECOVERY' }, ['UPDATE_PASSWORD']],
    ['spring', { credentials_non_expired: '0' }, ['UPDATE_PASSWORD']],
    ['stytch', { password: { requires_reset: true } }, ['UPDATE_PASSWORD']],
  ])('%s: %j', (name, more, actions) => {
    expect(converted(name, more).requiredActions).toEqual(actions);
  });
});
