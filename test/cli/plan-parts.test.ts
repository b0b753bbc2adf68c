/** The calculations of a plan: plain arithmetic and one pass over a file, without a core. */
import { describe, expect, it } from 'vitest';
import { nativeSource } from '../../src/cli/input/source.ts';
import { Inspection } from '../../src/cli/inspect/inspection.ts';
import { adviseSettings } from '../../src/cli/plan/advice.ts';
import { chooseGroups, withTime } from '../../src/cli/plan/calibrate/hashes.ts';
import type { ImportCalibration } from '../../src/cli/plan/calibrate/import.ts';
import { neededCeilings } from '../../src/cli/plan/hash-groups.ts';
import { copiesOf } from '../../src/cli/plan/calibrate/copies.ts';
import { forecastImport, secondsFor, steadyRate } from '../../src/cli/plan/forecast.ts';
import type { HashGroup } from '../../src/cli/plan/hash-groups.ts';
import { meanWaitMs, morningStep } from '../../src/cli/plan/morning.ts';
import { about, wayBackLines } from '../../src/cli/plan/report.ts';
import { providers, requireProvider } from '../../src/exports/providers/index.ts';
import { RejectLog } from '../../src/cli/output/reject-log.ts';
import { type Survey, surveyFile } from '../../src/cli/plan/survey.ts';
import { loadConfig } from '../../src/config/load.ts';
import { tenantProperties } from '../../src/config/schema-tenant.ts';
import { readSetting } from '../../src/config/setting.ts';
import { hashLimitKeys, widestLimits } from '../../src/config/tenant-settings.ts';
import { makePlace } from '../helpers/carryover.ts';
import { quietSurroundings } from '../helpers/command.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';

const bcrypt10 = '$2b$10$pz9wj5VnjseLzsZIFntXOuDZ9rinO8n6eeLztHLbWBhy4vM3QFXTa';
const bcrypt17 = bcrypt10.replace('$10$', '$17$');
const variant =
  '$f_scrypt$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==$42xEC+ixf3L2lw==$m=14$r=8$s=Bw==';

describe('the first morning', () => {
  const costs = { policyMs: 20, coreMs: 1, databaseMs: 1 };
  const mix = [
    { share: 0.5, verifyMs: 60, isUpgraded: true },
    { share: 0.5, verifyMs: 20, isUpgraded: false },
  ];

  it('adds one hash by the policy for each first sign-in with a weaker one', () => {
    const step = morningStep(10, mix, costs, 0);
    expect(step.cpuMs).toBeCloseTo(40 + 10 + 2 + 1);
    expect(step.upgradeMs).toBeCloseTo(10 + 1);
    expect(step.hashingCores).toBeCloseTo((10 * 50) / 1000 / 0.7);
    expect(step.cores).toBe(1);
  });

  it('falls to the cost of the policy as hashes are upgraded, and leaves the others as they are', () => {
    const steps = [0, 0.25, 0.5, 0.75, 1].map((share) => morningStep(100, mix, costs, share).cpuMs);
    expect(steps).toEqual([...steps].sort((a, b) => b - a));
    expect(steps.at(-1)).toBeCloseTo(20 + 2);
  });

  it('takes as many cores as keep each busy for 70 % of the time', () => {
    const one = [{ share: 1, verifyMs: 68, isUpgraded: false }];
    const coresAt = (arrivals: number): number => morningStep(arrivals, one, costs, 0).cores;
    expect([10, 20, 21, 100].map(coresAt)).toEqual([1, 2, 3, 10]);
  });

  it('waits as the formulas of one and of two servers say', () => {
    expect(meanWaitMs(0.5, 1, 100)).toBeCloseTo(100);
    // M/M/2: the wait is ρ² / (1 - ρ²) of a service time.
    expect(meanWaitMs(1, 2, 100)).toBeCloseTo((0.25 / 0.75) * 100);
    expect(meanWaitMs(2, 2, 100)).toBe(Infinity);
  });
});

describe('the import', () => {
  const progress = [
    { seconds: 0, lines: 0 },
    { seconds: 2, lines: 1000 },
    { seconds: 4, lines: 5000 },
    { seconds: 8, lines: 13_000 },
    { seconds: 9, lines: 14_000 },
  ];
  const use = { privateBytes: 300, sharedBytes: 100, cpuSeconds: 0 };
  const measured: ImportCalibration = {
    progress,
    users: 14_000,
    emptyBytes: 1_000_000,
    addedBytes: 7_000_000,
    walBytes: 14_000_000,
    walUsers: 7000,
    server: { sharedBuffersBytes: 1000, maxWalBytes: 1_000_000_000 },
    core: use,
    postgres: use,
  };

  it('takes what its beginning took, then goes on at the rate between warm-up and end', () => {
    expect(steadyRate(progress)).toBe(2000);
    expect(secondsFor(3000, progress)).toBe(3);
    expect(secondsFor(14_000, progress)).toBe(9);
    expect(secondsFor(34_000, progress)).toBe(19);
  });

  it('needs bytes for each user, and a log that PostgreSQL bounds', () => {
    const forecast = forecastImport({ lines: 100_000, users: 90_000 }, measured);
    expect(forecast.databaseBytes).toBe(1_000_000 + 90_000 * 500);
    expect(forecast.walPeakBytes).toBe(90_000 * 2000 + 16_777_216);
    const large = forecastImport({ lines: 10_000_000, users: 10_000_000 }, measured);
    expect(large.walPeakBytes).toBe(1_000_000_000);
    expect(large.postgresBytes).toBe(300 + 1050);
    expect(large.coreBytes).toBe(400);
  });

  it('says that it does not know what a system does not tell', () => {
    const forecast = forecastImport(
      { lines: 1, users: 1 },
      { ...measured, core: undefined, postgres: undefined },
    );
    expect(forecast).toMatchObject({ coreBytes: undefined, postgresBytes: undefined });
  });
});

describe('ceilings', () => {
  it('are widest where the settings end', () => {
    for (const [name, widest] of Object.entries(widestLimits) as [keyof typeof hashLimitKeys, number][]) {
      const setting = tenantProperties[hashLimitKeys[name]];
      expect(readSetting(setting, widest).ok, name).toBe(true);
      expect(readSetting(setting, widest + 1).ok, name).toBe(false);
    }
  });

  it('are found for a hash that they refuse, each at its least value', () => {
    expect(neededCeilings(bcrypt10, defaultLimits)).toEqual({});
    expect(neededCeilings(bcrypt17, defaultLimits)).toEqual({ bcryptMaxCost: 17 });
    const argon2 =
      '$argon2id$v=19$m=2097152,t=12,p=1$c29tZXNhbHQ$iyh0uBYyVLVvf2pTfXnXxQoIR0z0y6bJ8L0F1Yf2Qx4';
    expect(neededCeilings(argon2, defaultLimits)).toEqual({
      argon2MaxMemoryKb: 2_097_152,
      argon2MaxIterations: 12,
    });
  });
});

describe('copies', () => {
  const method = { recipeId: 'emailpassword', email: 'ann@example.com', passwordHash: bcrypt10 };
  const social = { recipeId: 'thirdparty', email: 'a@x.org', thirdPartyId: 'google', thirdPartyUserId: '12' };
  const phone = { recipeId: 'passwordless', phoneNumber: '+4915112345678' };
  const lines = [
    JSON.stringify({ externalUserId: 'legacy-1', loginMethods: [method, social] }),
    JSON.stringify({ loginMethods: [phone] }),
    '',
    'no record',
  ];

  it('are users of their own, without end, that an import takes', () => {
    const copies = copiesOf(lines);
    const secrets = { signerKey: undefined, pepper: undefined };
    const rules = { limits: defaultLimits, ...secrets, allowPlainText: false, now: Date.now() };
    const inspection = new Inspection({ ...rules, onConflict: 'update', dryRun: true, secondFactor: 'flag' });
    let number = 0;
    for (let piece = 0; piece < 3; piece++) {
      const text = Buffer.from(copies?.next() ?? []).toString('utf8');
      for (const line of text.trimEnd().split('\n'))
        expect(inspection.add(Buffer.from(line), ++number)).toBeUndefined();
    }
    expect(inspection.findings).toMatchObject({ records: 1500, valid: 1500, duplicates: 0 });
  });

  it('are about as long as what they are made of', () => {
    const named = { ...method, email: 'anna-maria.example@example.com' };
    const line = JSON.stringify({ externalUserId: 'legacy-000000000001', loginMethods: [named] });
    const copy =
      Buffer.from(copiesOf([line])?.next() ?? [])
        .toString('utf8')
        .split('\n')[0] ?? '';
    expect(Math.abs(copy.length - line.length)).toBeLessThan(5);
  });

  it('do not exist for a file without a record', () => {
    expect(copiesOf(['', 'nothing'])).toBeUndefined();
  });
});

const group = (facts: Partial<HashGroup>): HashGroup => ({
  kind: 'bcrypt',
  cost: {},
  users: 1,
  memoryBytes: 4096,
  work: 50,
  isBelowPolicy: true,
  ceilings: {},
  samples: [],
  ...facts,
});

describe('hashes to measure', () => {
  it('are those of nearly all users, none of which takes too long', () => {
    const groups = [
      group({ users: 96 }),
      group({ users: 60, work: 1e6 }),
      group({ users: 3 }),
      group({ users: 1 }),
    ];
    expect(chooseGroups(groups)).toEqual([groups[0]]);
    expect(chooseGroups(groups.slice(1))).toEqual(groups.slice(2));
    expect(chooseGroups(groups.slice(1, 2))).toEqual([]);
  });

  it('tell what others of their kind take', () => {
    const measured = group({ users: 90, work: 50 });
    const times = new Map([[measured, 100]]);
    expect(withTime(measured, times)).toMatchObject({ cpuMs: 100, isMeasured: true });
    expect(withTime(group({ work: 25 }), times)).toMatchObject({ cpuMs: 50, isMeasured: false });
    expect(withTime(group({ kind: 'scrypt', work: 10 }), times).cpuMs).toBe(20);
    expect(withTime(group({ work: 25 }), new Map()).cpuMs).toBe(25);
  });
});

describe('a file', () => {
  async function survey(records: readonly object[], environment = {}): Promise<Survey> {
    const place = await makePlace();
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const file = await place.write('users.ndjson', text);
    const source = nativeSource(file, Buffer.byteLength(text));
    try {
      const log = new RejectLog(undefined);
      return await surveyFile(source, loadConfig({ environment }), log, quietSurroundings(place.folder));
    } finally {
      await place.remove();
    }
  }
  const user = (name: string, method: object): object => ({
    loginMethods: [{ recipeId: 'emailpassword', email: `${name}@example.com`, ...method }],
  });
  const variantUser = (name: string): object =>
    user(name, { passwordHash: variant, hashingAlgorithm: 'firebase_scrypt' });

  it('is counted by kind and cost, without its duplicates', async () => {
    const found = await survey([
      user('a', { passwordHash: bcrypt10 }),
      user('b', { passwordHash: bcrypt10 }),
      user('B', { passwordHash: bcrypt10 }),
      user('c', { passwordHash: bcrypt17 }),
      user('d', {}),
    ]);
    expect(found).toMatchObject({ lines: 5, records: 5, users: 3, rejected: 2 });
    expect(found.groups.map(({ cost, users, ceilings: over }) => ({ cost, users, over }))).toEqual([
      { cost: { logRounds: 10 }, users: 2, over: {} },
      { cost: { logRounds: 17 }, users: 1, over: { bcryptMaxCost: 17 } },
    ]);
  });

  it('counts as it will when keys, pepper and settings are there, and says which are not', async () => {
    const found = await survey([
      variantUser('a'),
      variantUser('b'),
      user('c', { passwordHash: bcrypt10, hashingAlgorithm: 'bcrypt_peppered' }),
      user('d', { plainTextPassword: 'secret' }),
    ]);
    expect(found).toMatchObject({ records: 4, users: 4, rejected: 0, plainTextUsers: 1 });
    expect(found).toMatchObject({ lacksSignerKey: true, lacksPepper: true });
    expect(found.secrets.signerKey).toHaveLength(64);
    const config = loadConfig({ environment: {} });
    const advice = adviseSettings({ config, survey: found, cores: 2, signInsPerSecond: 40 });
    expect(advice.filter(({ isChange }) => isChange).map(({ setting, value }) => [setting, value])).toEqual([
      ['hashing_queue_limit', 200],
      ['provider_password_hashing_signer_key', undefined],
      ['bcrypt_pepper', undefined],
      ['allow_plain_text_import', true],
    ]);
  });

  it('lacks nothing that is configured', async () => {
    const environment = {
      PROVIDER_PASSWORD_HASHING_SIGNER_KEY: Buffer.alloc(64, 1).toString('base64'),
      BCRYPT_PEPPER: 'pepper',
    };
    const peppered = user('c', { passwordHash: bcrypt10, hashingAlgorithm: 'bcrypt_peppered' });
    expect(await survey([variantUser('a'), peppered], environment)).toMatchObject({
      users: 2,
      lacksSignerKey: false,
      lacksPepper: false,
    });
  });

  it('needs a memory budget for its most expensive hash on each core, and ceilings that let it in', async () => {
    const argon2 = '$argon2id$v=19$m=2097152,t=3,p=1$c29tZXNhbHQ$iyh0uBYyVLVvf2pTfXnXxQoIR0z0y6bJ8L0F1Yf2Qx4';
    const found = await survey([user('a', { passwordHash: argon2 }), user('b', { passwordHash: bcrypt17 })]);
    const config = loadConfig({ environment: {} });
    const advice = adviseSettings({ config, survey: found, cores: 6, signInsPerSecond: 400 });
    const values = Object.fromEntries(advice.map(({ setting, value }) => [setting, value]));
    expect(values).toEqual({
      hashing_threads: 6,
      hashing_memory_budget_mb: 6 * 2048,
      hashing_queue_limit: 2000,
      import_lanes: 7,
      postgresql_connection_pool_size: 13,
      bcrypt_max_cost: 17,
      argon2_max_memory_kb: 2_097_152,
    });
    const written = Object.entries(values).map(([name, value]) => [name.toUpperCase(), String(value)]);
    expect(() =>
      loadConfig({ environment: Object.fromEntries(written) as Record<string, string> }),
    ).not.toThrow();
  });
});

describe('figures', () => {
  it('have two digits', () => {
    expect([0.003123, 4.24, 37.4, 1234, 25_678, NaN].map(about)).toEqual([
      '0.0031',
      '4.2',
      '37',
      '1,200',
      '26,000',
      '?',
    ]);
  });
});

describe('the way back', () => {
  it("asks for the settings under which the old system reads this core's hashes", () => {
    const lines = wayBackLines(requireProvider('laravel'));
    expect(lines[1]).toBe('The way back: decide before the import');
    expect(lines[2]).toContain('bcrypt $2y$ alone from Laravel 11 on');
    for (const setting of [
      'upgrade_password_hashes: false',
      'bcrypt_prefix: 2y',
      'password_hashing_alg: BCRYPT',
    ])
      expect(lines.join('\n')).toContain(setting);
  });

  it('is named as missing, except for records of no system', () => {
    expect(wayBackLines(requireProvider('aspnet-identity')).join('\n')).toContain(
      'It reads no hash that this core can make',
    );
    expect(wayBackLines(requireProvider('native'))).toEqual([]);
    expect(providers.filter(({ name, wayBack }) => wayBack === undefined && name !== 'native')).toEqual([]);
  });
});
