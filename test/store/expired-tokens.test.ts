import { removeExpiredDashboardSessions } from '../../src/features/dashboard/store/sessions.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeExpiredTokens } from '../../src/store/tokens/expired-tokens.ts';
import { removeExpiredCarries, removeExpiredOpaque } from '../../src/features/session-carry/store/expired.ts';
import { removeExpiredSessions } from '../../src/features/sessions/store/expired.ts';
import { removeExpiredDevices } from '../../src/features/passwordless/store/remove.ts';
import { openTestStore, type TestStore } from '../helpers/store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.dispose());

const fill = (count: number, expiresAt: number) =>
  store.sql(
    `insert into tokens (app_no, purpose, token_hash, tenant_no, user_id, email, expires_at)
     select 0, 1 + n % 2, sha256(($2 || ' ' || n)::bytea), 0, 'u' || n, 'a@b.test', $2::bigint
     from generate_series(1, $1::int) n`,
    [count, expiresAt],
  );

describe('expired tokens', () => {
  it('are removed, more of them than one statement takes, and no other', async () => {
    await fill(12_001, 1000);
    await fill(3, 1001);
    expect(await removeExpiredTokens(store.database, 1000)).toBe(12_001);
    expect(await store.sql('select distinct expires_at from tokens')).toEqual([{ expires_at: 1001 }]);
    expect(await removeExpiredTokens(store.database, 1000)).toBe(0);
  });

  it('are removed once by cores that sweep at the same time', async () => {
    await fill(9000, 2000);
    const counts = await Promise.all([1, 2, 3].map(() => removeExpiredTokens(store.database, 2000)));
    const rest = await removeExpiredTokens(store.database, 2000);
    expect(counts.reduce((a, b) => a + b, rest)).toBe(9003);
  });
});

describe('expired sessions', () => {
  it('are removed, and no other', async () => {
    await store.sql(
      `insert into sessions
       select 0, gen_random_uuid(), 0, 'u', '', case when n <= 6000 then 1000 else 1001 end, 1, false, '{}', '{}'
       from generate_series(1, 6003) n`,
    );
    expect(await removeExpiredSessions(store.database, 1000)).toBe(6000);
    expect(await store.sql('select distinct expires_at from sessions')).toEqual([{ expires_at: 1001 }]);
  });
});

describe('tokens of old systems', () => {
  it('that were exchanged are forgotten when they are too old to be taken again, and no other', async () => {
    await store.sql(
      `insert into carried_sessions
       select 0, sha256(n::text::bytea), gen_random_uuid(), '', false, 1, case when n <= 6000 then 1000 else 1001 end
       from generate_series(1, 6003) n`,
    );
    expect(await removeExpiredCarries(store.database, 1000)).toBe(6000);
    expect(await store.sql('select expires_at from carried_sessions')).toEqual(
      Array.from({ length: 3 }, () => ({ expires_at: 1001 })),
    );
  });

  it('that were brought are removed when they have expired, and no other', async () => {
    await store.sql(
      `insert into opaque_tokens (app_no, tenant_no, source, token_digest, user_id, expires_at, imported_at)
       select 0, 0, 'old', sha256(n::text::bytea), 'u', 999 + n, 1 from generate_series(1, 3) n`,
    );
    expect(await removeExpiredOpaque(store.database, 1001)).toBe(2);
    expect(await store.sql('select expires_at from opaque_tokens')).toEqual([{ expires_at: 1002 }]);
  });
});

describe('expired sessions of the dashboard', () => {
  it('are removed, and no other', async () => {
    await store.sql(`insert into dashboard_users select 0, gen_random_uuid(), 'a@b.test', 'hash', 1`);
    await store.sql(
      `insert into dashboard_sessions
       select 0, gen_random_uuid(), u.user_id, 1, 999 + n from dashboard_users u, generate_series(1, 3) n`,
    );
    expect(await removeExpiredDashboardSessions(store.database, 1001)).toBe(2);
    expect(await store.sql('select expires_at from dashboard_sessions')).toEqual([{ expires_at: 1002 }]);
  });
});

describe('devices whose codes are all too old', () => {
  it('are removed with them, and no other', async () => {
    await store.sql(
      `insert into passwordless_devices
       select 0, sha256(n::text::bytea), 0, 'a@b.test', null, '', 0, case when n <= 6000 then 999 else 1000 end
       from generate_series(1, 6003) n`,
    );
    await store.sql(
      `insert into passwordless_codes
       select 0, gen_random_uuid(), device_hash, device_hash, 1 from passwordless_devices`,
    );
    expect(await removeExpiredDevices(store.database, 1000)).toBe(6000);
    expect(await store.sql('select count(*)::int as left from passwordless_codes')).toEqual([{ left: 3 }]);
  });
});
