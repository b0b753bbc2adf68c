import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import type { Job } from '../../src/imports/model.ts';
import { rulesOfUpload } from '../../src/imports/rules.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';

const tenant = { appNo: 1, settings: { hashLimits: defaultLimits } } as Tenant;
const job = { onConflict: 'update', dryRun: false, secondFactor: 'flag' } as Job;

/** An upload's rules over tenants whose reads are counted, and a clock. */
function uploadAt(start: number) {
  const tenants: Record<string, number> = { public: 0 };
  const state = { now: start, reads: 0, isAway: false };
  const rules = rulesOfUpload(
    {
      tenantNumbers: () => {
        state.reads++;
        return state.isAway ? Promise.reject(new Error('away')) : Promise.resolve({ ...tenants });
      },
      allowPlainText: false,
      encryptionKeys: [],
      placeSecret: () => ({ low: 1, high: 2 }),
      now: () => state.now,
    },
    tenant,
    job,
  );
  return { state, tenants, rules };
}

describe('the rules of an upload', () => {
  it('are read once for chunks of one second, those at the same time included', async () => {
    const { state, rules } = uploadAt(5000);
    await Promise.all([rules(), rules()]);
    state.now = 5999;
    await rules();
    expect(state.reads).toBe(1);
  });

  it('know a tenant a second after it was created', async () => {
    const { state, tenants, rules } = uploadAt(5000);
    await rules();
    tenants.acme = 7;
    state.now = 6000;
    expect((await rules()).tenants).toEqual({ public: 0, acme: 7 });
  });

  it('are read again when the clock was set back', async () => {
    const { state, rules } = uploadAt(5000);
    await rules();
    state.now = 1000;
    await rules();
    expect(state.reads).toBe(2);
  });

  it('have the time of their chunk', async () => {
    const { state, rules } = uploadAt(5000);
    await rules();
    state.now = 5500;
    expect((await rules()).now).toBe(5500);
  });

  it('are read again after they could not be', async () => {
    const { state, rules } = uploadAt(5000);
    state.isAway = true;
    await expect(rules()).rejects.toThrow('away');
    state.isAway = false;
    expect((await rules()).tenants).toEqual({ public: 0 });
  });
});
