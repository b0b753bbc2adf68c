import { describe, expect, test } from 'vitest';
import type { TenantSettings } from '../../src/domain/model.ts';
import {
  mergeCoreConfig,
  parseCoreConfig,
  presentCoreConfig,
  resolveTenantSettings,
} from '../../src/config/tenant-settings.ts';
import type { SettingSchema } from '../../src/config/setting.ts';
import { tenantProperties } from '../../src/config/schema-tenant.ts';

const defaults: TenantSettings = {
  signerKey: Buffer.from('of the core'),
  pepper: Buffer.from('pepper of the core'),
  endSessionsOnPasswordChange: false,
  emailVerificationTokenLifetimeMs: 1,
  accessTokenValidityMs: 3_600_000,
  refreshTokenValidityMs: 8_640_000_000,
  signingKeyIntervalMs: 604_800_000,
  passwordResetTokenLifetimeMs: 2,
  totpMaxAttempts: 5,
  totpCooldownMs: 900_000,
  passwordlessCodeLifetimeMs: 900_000,
  passwordlessMaxAttempts: 5,
  hashLimits: {
    bcryptMaxCost: 10,
    argon2MaxMemoryKb: 11,
    argon2MaxIterations: 12,
    argon2MaxParallelism: 13,
    scryptMaxMemoryMb: 14,
    scryptMaxParallelism: 16,
    pbkdf2MaxIterations: 15,
    cryptMaxRounds: 1017,
    phpassMaxLogRounds: 18,
    digestMaxIterations: 19,
  },
};

describe('parsing a core config', () => {
  test('accepts every key of the table', () => {
    const setting = (each: SettingSchema) =>
      each.default ?? (each.format?.endsWith('-sources') ? '[]' : 'YWJj'.repeat(8));
    const raw = Object.fromEntries(
      Object.entries<SettingSchema>(tenantProperties).map(([key, each]) => [key, setting(each)]),
    );
    expect(parseCoreConfig(raw)).toEqual({ ok: true, value: raw });
  });

  test('keeps null, which asks for the key to be removed', () => {
    expect(parseCoreConfig({ bcrypt_max_cost: null })).toEqual({
      ok: true,
      value: { bcrypt_max_cost: null },
    });
  });

  test('gives the alias of the signer key its own name', () => {
    const value = { provider_password_hashing_signer_key: 'YWJj' };
    expect(parseCoreConfig({ firebase_password_hashing_signer_key: 'YWJj' })).toEqual({ ok: true, value });
    expect(parseCoreConfig({ ...value, firebase_password_hashing_signer_key: 'YWJj' })).toEqual({
      ok: true,
      value,
    });
  });

  test('refuses two different signer keys', () => {
    const both = {
      provider_password_hashing_signer_key: 'YWJj',
      firebase_password_hashing_signer_key: 'ZGVm',
    };
    expect(parseCoreConfig(both)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Invalid core config: .*differ/) as string,
    });
  });

  test.each([
    [{ port: 1 }, 'Invalid config key: port'],
    [JSON.parse('{"__proto__": 1}') as Record<string, unknown>, 'Invalid config key: __proto__'],
    [{ constructor: 1 }, 'Invalid config key: constructor'],
    [{ 'a\nb': 1 }, 'Invalid config key: a?b'],
    [{ bcrypt_max_cost: 3 }, "'bcrypt_max_cost' must be a whole number from 4 to 31"],
    [{ bcrypt_max_cost: 'twelve' }, "'bcrypt_max_cost' must be a whole number"],
    [
      { provider_password_hashing_signer_key: 's e c r e t' },
      "'provider_password_hashing_signer_key' must be base64",
    ],
    [{ bcrypt_pepper: 's e c r e t\n' }, "'bcrypt_pepper' must be text"],
    [{ bcrypt_pepper: '' }, "'bcrypt_pepper' must be text"],
    [{ provider_password_hashing_signer_key: '' }, "'provider_password_hashing_signer_key' must be base64"],
  ])('refuses %j and says why', (raw, expected) => {
    const parsed = parseCoreConfig(raw);
    expect(parsed.ok ? '' : parsed.message).toContain(`Invalid core config: ${expected}`);
    expect(parsed.ok ? '' : parsed.message).not.toMatch(/\n|s e c r e t/);
  });
});

describe('what is stored', () => {
  test('merges: given keys replace, null removes, the rest stays', () => {
    const stored = { bcrypt_max_cost: 12, argon2_max_iterations: 3, scrypt_max_memory_mb: 5 };
    expect(mergeCoreConfig(stored, { bcrypt_max_cost: null, argon2_max_iterations: 4 })).toEqual({
      argon2_max_iterations: 4,
      scrypt_max_memory_mb: 5,
    });
  });

  test('is shown without the signer key and the pepper', () => {
    const stored = {
      provider_password_hashing_signer_key: 'YWJj',
      bcrypt_pepper: 'hunter2',
      bcrypt_max_cost: 12,
    };
    expect(presentCoreConfig(stored)).toEqual({
      provider_password_hashing_signer_key: '***',
      bcrypt_pepper: '***',
      bcrypt_max_cost: 12,
    });
    expect(presentCoreConfig({ bcrypt_max_cost: 12 })).toEqual({ bcrypt_max_cost: 12 });
  });
});

describe('resolving', () => {
  test('gives the defaults when nothing is stored', () => {
    expect(resolveTenantSettings(defaults)).toEqual(defaults);
    expect(resolveTenantSettings(defaults, {}, {})).toEqual(defaults);
  });

  test('lays the app over the core and the tenant over the app', () => {
    const app = {
      provider_password_hashing_signer_key: 'YWJj',
      bcrypt_pepper: 'pépper',
      bcrypt_max_cost: 20,
      password_reset_token_lifetime: 7,
    };
    const resolved = resolveTenantSettings(defaults, app, { bcrypt_max_cost: 21 });
    expect(resolved.signerKey?.toString()).toBe('abc');
    expect(resolved.pepper).toEqual(Buffer.from('pépper', 'utf8'));
    expect(resolved.hashLimits).toEqual({ ...defaults.hashLimits, bcryptMaxCost: 21 });
    expect(resolved.passwordResetTokenLifetimeMs).toBe(7);
    expect(resolved.emailVerificationTokenLifetimeMs).toBe(1);
  });

  test('does not accept what was written into the database by hand', () => {
    expect(() => resolveTenantSettings(defaults, { bcrypt_max_cost: 99 })).toThrow(
      /stored core config: 'bcrypt_max_cost'/,
    );
    expect(() => resolveTenantSettings(defaults, { bcrypt_pepper: 7 })).toThrow(
      /stored core config: 'bcrypt_pepper'/,
    );
  });
});
