/**
 * Cores of one database have the same encryption keys: a core with others is warned at its start, although nothing is sealed
 * there yet.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Readiness } from '../../src/core/readiness.ts';
import { resealOperations } from '../../src/operations/reseal.ts';
import { createLogger } from '../../src/process/log.ts';
import { Sealer } from '../../src/process/sealer.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { checkKeysAreOurs, takeOverKeyCheck } from '../../src/store/sealed/key-check.ts';
import { checkSealedRows, sealedStore } from '../../src/store/sealed/sealed-rows.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';

const [ours, others] = [randomBytes(32), randomBytes(32)];
let server: TestDatabase;
let database: Database;

beforeEach(async () => {
  server = await createMigratedDatabase();
  database = openDatabase({ target: server.connection, poolSize: 2 });
});
afterEach(async () => {
  await database.close(0);
  await server.drop();
});

/** As a core begins. */
const start = (...keys: readonly Buffer[]): Promise<boolean> =>
  new Readiness(new Sealer(keys)).reach(database, server.connection, createLogger({ level: 'silent' }));

const refusal = "The database holds sealed secrets that this core cannot open: set 'encryption_keys'";

describe('a database that a core with keys has used', () => {
  it('takes others with the same keys, and none with other keys or without', async () => {
    expect(await start(ours)).toBe(true);
    expect(await start(ours)).toBe(true);
    expect(await start(others, ours)).toBe(true);
    await expect(start(others)).rejects.toThrow(refusal);
    await expect(start()).rejects.toThrow(refusal);
  });

  it('was not claimed by one without: the first with keys is', async () => {
    expect(await start()).toBe(true);
    expect(await start(others)).toBe(true);
    await expect(start(ours)).rejects.toThrow(refusal);
  });

  it('is for one of two that come at the same time', async () => {
    const claims = [ours, others].map((key) => checkKeysAreOurs(database.write, new Sealer([key])));
    const outcomes = (await Promise.allSettled(claims)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('goes over to new keys with all that is sealed', async () => {
    await start(ours);
    const operations = resealOperations(sealedStore(database), new Sealer([others, ours]), () =>
      Promise.resolve(),
    );
    await operations.reseal({ appNo: 0, tenantNo: 0, appId: 'public', tenantId: 'public' } as never);
    await checkSealedRows(database.read, new Sealer([others]));
    expect(await start(others)).toBe(true);
    await expect(start(ours)).rejects.toThrow(refusal);
  });

  it('goes over to the keys of a core that it was restored for', async () => {
    await start(ours);
    await takeOverKeyCheck(database.write, new Sealer([]));
    await expect(start(others)).rejects.toThrow(refusal);
    await takeOverKeyCheck(database.write, new Sealer([others]));
    expect(await start(others)).toBe(true);
  });
});
