import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import type { Tenant } from '../../src/domain/model.ts';
import type { SigningKeyStore } from '../../src/features/sessions/model.ts';
import { signingKeyStore } from '../../src/features/sessions/store/signing-keys.ts';
import { SessionKeys } from '../../src/features/sessions/keys/keys.ts';
import { Sealer } from '../../src/process/sealer.ts';
import { type TestCore, type TestStore, useStore } from '../helpers/store.ts';

const start = 1_700_000_000_000;
const weekMs = 7 * 86_400_000;

let store: TestStore;
let app: Tenant;
useStore((...given) => {
  [store, app] = given;
});

/** One core's keys, with a separate clock, a count of its reads, and a way to disconnect its database. */
function keysOfCore({ database }: TestCore) {
  const state = { now: start, reads: 0, isAway: false };
  const signingKeys = signingKeyStore(database);
  const counted: SigningKeyStore = {
    list: async (appNo) => {
      if (state.isAway) throw new Refusal('DATABASE_UNAVAILABLE');
      state.reads++;
      return signingKeys.list(appNo);
    },
    change: (...given) => signingKeys.change(...given),
  };
  const keys = new SessionKeys({
    store: counted,
    sealer: new Sealer([Buffer.alloc(32, 7)]),
    now: () => state.now,
  });
  const kids = async () => (await keys.list(app)).keys.map(({ kid }) => kid);
  return { keys, state, kids };
}

let here: ReturnType<typeof keysOfCore>;
let there: ReturnType<typeof keysOfCore>;
beforeEach(() => {
  [here, there] = [keysOfCore(store), keysOfCore(store.anotherCore())];
});

test('unknown key ids cost one read a second, however many there are', async () => {
  const garbage = () => here.keys.verifying(app, `d-${randomUUID()}`);
  await here.keys.of(app);
  here.state.reads = 0;
  for (const [reads, ms] of [
    [0, 0],
    [1, 1000],
    [1, 999],
    [2, 1],
  ] as const) {
    here.state.now += ms;
    expect(new Set(await Promise.all(Array.from({ length: 50 }, garbage)))).toEqual(new Set([undefined]));
    for (let i = 0; i < 5; i++) await garbage();
    expect(here.state.reads).toBe(reads);
  }
});

test('a key that another core has made is believed at once, and listed within a second', async () => {
  const before = await here.kids();
  expect(await there.kids()).toEqual(before);
  // The other clock is ahead, so that a new key is due only there.
  here.state.now += weekMs - 62_000;
  there.state.now += weekMs - 59_000;
  expect(await here.kids()).toEqual(before);
  const { kid } = (await there.keys.of(app)).dynamic[0] ?? {};
  expect(before).not.toContain(kid);
  here.state.now += 999;
  expect(await here.kids()).toEqual(before);
  here.state.now += 1;
  expect(await here.keys.verifying(app, kid ?? '')).toMatchObject({ kid });
  expect(await here.kids()).toEqual([kid, ...before]);
  there.state.now += weekMs;
  const [next] = (await there.keys.of(app)).dynamic;
  here.state.now += 1000;
  expect(await here.kids()).toEqual([next?.kid, kid, before.at(-1)]);
});

test('keys are listed and believed while the database is away', async () => {
  const before = await here.kids();
  here.state.isAway = true;
  for (const ms of [1000, weekMs]) {
    here.state.now += ms;
    expect(await here.kids()).toEqual(before);
    expect(await here.keys.verifying(app, before[0] ?? '')).toMatchObject({ kid: before[0] });
  }
  await expect(there.keys.of(app)).resolves.toBeDefined();
  await expect(here.keys.verifying(app, 'd-unknown')).rejects.toThrow(Refusal);
});

test('an app that was removed after the request had found it is unknown', async () => {
  const removed = { ...app, appNo: 2_000_000_000 };
  for (const ask of [
    () => here.keys.of(removed),
    () => here.keys.signing(removed, true),
    () => here.keys.list(removed),
  ])
    await expect(ask()).rejects.toMatchObject({ code: 'APP_OR_TENANT_NOT_FOUND' });
});
