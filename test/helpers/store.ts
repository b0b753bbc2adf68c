/** Stores over new databases, and rows that tests put into them. */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Tenant, TenantSettings } from '../../src/domain/model.ts';
import { textArray } from '../../src/domain/pg-array.ts';
import type { Credential, NewPasswordUser, NewThirdPartyUser } from '../../src/operations/ports/ports.ts';
import type { BatchSettings } from '../../src/store/batch/batches.ts';
import type { Database, DatabaseOptions, Query } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { replaceStatedRoles, withRolesMade } from '../../src/store/imports/stated-roles.ts';
import type { Store } from '../../src/store/store.ts';
import { onePlace } from '../../src/store/places/places.ts';
import { createStore } from '../../src/store/store.ts';
import { defaultLimits } from './hash-limits.ts';
import { createMigratedDatabase } from './postgres.ts';

export const defaultSettings: TenantSettings = {
  signerKey: undefined,
  pepper: undefined,
  endSessionsOnPasswordChange: false,
  emailVerificationTokenLifetimeMs: 86_400_000,
  accessTokenValidityMs: 3_600_000,
  refreshTokenValidityMs: 8_640_000_000,
  signingKeyIntervalMs: 604_800_000,
  passwordResetTokenLifetimeMs: 3_600_000,
  totpMaxAttempts: 5,
  totpCooldownMs: 900_000,
  passwordlessCodeLifetimeMs: 900_000,
  passwordlessMaxAttempts: 5,
  hashLimits: defaultLimits,
};

const batchSettings = {
  importLanes: 2,
  importLaneAt: 1,
  liveLanes: 2,
  maxBatch: 1000,
  maxBacklog: 10_000,
  observe: () => undefined,
};

/** One core's view: a store over a separate pool. */
export interface TestCore extends Store {
  readonly database: Database;
}

export interface TestStore extends TestCore {
  /** The public tenant of the public app. */
  readonly tenant: Tenant;
  /** Any statement, bypassing the store. */
  readonly sql: Query;
  /** The public tenant of an app that no other test uses: tests of one file share a database, each with a separate app. */
  newApp(): Promise<Tenant>;
  newTenant(app: Tenant): Promise<Tenant>;
  /** Another core on the same database, with separate caches, queues and connections. */
  anotherCore(settings?: Partial<Omit<BatchSettings, 'live' | 'imports'>>): TestCore;
  /** Closes every core's connections and drops the database. */
  dispose(): Promise<void>;
}

type Target = Extract<DatabaseOptions['target'], { host: string }>;

/** A new, migrated database. Call `dispose()` in `afterAll`. */
export async function openTestStore(): Promise<TestStore> {
  const fresh = await createMigratedDatabase();
  const store = await openStoreOn(fresh.connection);
  return {
    ...store,
    dispose: async () => {
      await store.dispose();
      await fresh.drop();
    },
  };
}

/**
 * For the tests of one file: a store, and before each test a new app in it.
 * @param receive is called with both before each test
 */
export function useStore(receive: (store: TestStore, tenant: Tenant) => void): void {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore();
  });
  beforeEach(async () => {
    receive(store, await store.newApp());
  });
  afterAll(() => store.dispose());
}

/** As openTestStore, on an existing database, which is not removed. */
export async function openStoreOn(target: Target): Promise<TestStore> {
  const databases: Database[] = [];
  const core = (settings: Partial<Omit<BatchSettings, 'live' | 'imports'>> = {}): TestCore => {
    const database = openDatabase({ target, poolSize: 6 });
    const imports = openDatabase({ target, poolSize: 2, planned: 'once' });
    databases.push(database, imports);
    return {
      ...createStore(
        onePlace({ live: database, imports }),
        { defaults: defaultSettings, isTestMode: false },
        {
          ...batchSettings,
          ...settings,
        },
      ),
      database,
    };
  };
  const own = core();
  await migrate(own.database);
  const getTenant = async (appId: string, tenantId: string): Promise<Tenant> => {
    const tenant = await own.tenants.find(appId, tenantId);
    if (!tenant) throw new Error(`no tenant ${appId}/${tenantId}`);
    return tenant;
  };
  return {
    ...own,
    tenant: await getTenant('public', 'public'),
    sql: own.database.write,
    newApp: async () => {
      const appId = `app-${randomUUID()}`;
      await own.tenants.putApp(appId, {});
      return getTenant(appId, 'public');
    },
    newTenant: async ({ appId }) => {
      const tenantId = `tenant-${randomUUID()}`;
      await own.tenants.putTenant(appId, tenantId, {});
      return getTenant(appId, tenantId);
    },
    anotherCore: core,
    dispose: async () => {
      await Promise.all(databases.map((database) => database.close(1000)));
    },
  };
}

/** The user with this email and a password, without the neighbour that is found with it. */
export async function credentialOf(
  store: Pick<Store, 'users'>,
  tenant: Tenant,
  email: string,
): Promise<Credential | undefined> {
  return (await store.users.findCredential(tenant, email)).credential;
}

/** Distributes items in turn, e.g. calls to cores. */
export function inTurn<Item>(items: readonly Item[], n: number): Item {
  const item = items[n % items.length];
  if (item === undefined) throw new Error('nothing to deal out');
  return item;
}

let clock = Date.UTC(2026, 0, 1);

/** A user to import, joined a millisecond after the one before. */
export function passwordUser(
  tenant: Tenant,
  email: string,
  rest: Partial<NewPasswordUser> = {},
): NewPasswordUser {
  const timeJoined = rest.timeJoined ?? clock++;
  const userId = uuidv7({ msecs: timeJoined });
  return { tenant, email, passwordHash: `hash of ${email}`, userId, timeJoined, replace: true, ...rest };
}

export function thirdPartyUser(
  tenant: Tenant,
  thirdPartyUserId: string,
  rest: Partial<NewThirdPartyUser> = {},
): NewThirdPartyUser {
  const timeJoined = rest.timeJoined ?? clock++;
  return {
    tenant,
    thirdPartyId: 'google',
    thirdPartyUserId,
    email: `${thirdPartyUserId}@social.test`,
    isVerified: false,
    userId: uuidv7({ msecs: timeJoined }),
    timeJoined,
    ...rest,
  };
}

/** Makes several login methods one user, by SQL: the first is the head. */
export async function link(sql: Query, { appNo }: Tenant, ids: readonly string[]): Promise<void> {
  const text = 'update users set primary_user_id = $2 where app_no = $1 and user_id = any($3::uuid[])';
  await sql(text, [appNo, ids[0] ?? '', `{${ids.join(',')}}`]);
}

/** Puts a login method into one more tenant, by SQL. */
export async function alsoIn(sql: Query, { appNo, tenantNo }: Tenant, userId: string): Promise<void> {
  await sql(
    `insert into identities (app_no, tenant_no, kind, key, user_id)
     select distinct app_no, $2::int, kind, key, user_id from identities where app_no = $1 and user_id = $3`,
    [appNo, tenantNo, userId],
  );
}

/** A passwordless user with an email, a phone number or both, by SQL. @returns the core's id */
export async function putPasswordless(
  sql: Query,
  { appNo, tenantNo }: Tenant,
  { email, phone }: { email?: string; phone?: string },
): Promise<string> {
  const timeJoined = clock++;
  const userId = uuidv7({ msecs: timeJoined });
  await sql(
    `insert into users (app_no, recipe, email_verified, user_id, time_joined, email, phone)
     values ($1, 3, false, $2, $3, $4, $5)`,
    [appNo, userId, timeJoined, email ?? null, phone ?? null],
  );
  await sql(
    `insert into identities (app_no, tenant_no, kind, key, user_id)
     select $1, $2, t.kind, identity_key(3::smallint, t.email, null, null, t.phone), $3
     from (values (3, $4::text, null::text), (4, null, $5::text)) t (kind, email, phone)
     where coalesce(t.email, t.phone) is not null`,
    [appNo, tenantNo, userId, email ?? null, phone ?? null],
  );
  return userId;
}

export interface Details {
  readonly metadata?: object;
  readonly roles?: readonly object[];
  readonly totpDevices?: readonly object[];
}

/** The details that a bulk import stores for a user in addition to the login methods, by SQL: under the id of the head. */
export async function putDetails(
  sql: Query,
  { appNo }: Tenant,
  head: string,
  { metadata, roles, totpDevices }: Details,
): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await sql(
    `insert into user_details (app_no, user_id, metadata, totp_devices)
     values ($1, $2, $3::text::jsonb, $4::text::jsonb)`,
    [appNo, head, json(metadata), json(totpDevices)],
  );
  if (roles === undefined) return;
  const records = {
    appNo,
    dryRun: false,
    userId: `{${head}}`,
    roles: textArray([JSON.stringify(roles)], (text) => text),
  };
  await withRolesMade({ write: sql }, () => replaceStatedRoles(sql, records));
}

/** The programs of the machine's own PostgreSQL, if it is version 15: the oldest that the core supports. */
export const olderPrograms = ((): string | undefined => {
  try {
    const bin = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
    const version = execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' });
    return version.includes(' 15.') && existsSync(path.join(bin, 'initdb')) ? bin : undefined;
  } catch {
    return undefined;
  }
})();

export interface OlderPostgres {
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

/** Writes files that a server's settings need into its folder, which belongs to `owner`, and returns the settings. */
type MakeSettings = (place: ServerPlace) => Promise<Readonly<Record<string, string>>>;

interface ServerPlace {
  readonly folder: string;
  readonly data: string;
  readonly owner: { readonly uid?: number; readonly gid?: number };
}

/** A separate PostgreSQL 15 on a socket file, and other addresses in its settings. */
export async function startOlderPostgres(programs: string, make?: MakeSettings): Promise<OlderPostgres> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-pg15-'));
  const owner = await giveToServerUser(folder);
  const data = path.join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync'];
  execFileSync(path.join(programs, 'initdb'), init, { ...owner, stdio: 'pipe' });
  const settings = { listen_addresses: '', fsync: 'off', ...(await make?.({ folder, data, owner })) };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(path.join(programs, 'postgres'), ['-D', data, '-k', folder, ...options], {
    ...owner,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = new Promise((resolve) => server.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    let log = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (text.includes('ready to accept connections')) resolve();
    });
    void exit.then(() => {
      reject(new Error(`PostgreSQL 15 did not start:\n${log}`));
    });
  });
  return {
    target: { host: folder, port: 5432, user: 'postgres', database: 'postgres' },
    stop: async () => {
      server.kill('SIGINT');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
async function giveToServerUser(folder: string): Promise<{ uid?: number; gid?: number; cwd: string }> {
  if (process.getuid?.() !== 0) return { cwd: folder };
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const owner = { uid: id('-u'), gid: id('-g') };
  await chown(folder, owner.uid, owner.gid);
  return { ...owner, cwd: folder };
}
