/** Apps into which files with every kind of record are imported, and the undisturbed result. */
import type { Tenant } from '../../src/domain/model.ts';
import { digestsOfLines } from '../../src/imports/ledger/digests.ts';
import { mixedFile, residents } from './bulk-files.ts';
import { claimsSpent, standingOf, tablesOf } from './bulk-tables.ts';
import { openTestImports, type TestImports } from './imports.ts';
import { ledgerOf } from './ledger.ts';
import { createMigratedDatabase, type TestDatabase } from './postgres.ts';
import { openStoreOn, type TestStore } from './store.ts';

export interface Place {
  readonly tenant: Tenant;
  /** The app's prefix in paths. */
  readonly app: string;
  /** Imported over the residents. */
  readonly file: Buffer;
}

export interface Stage {
  readonly database: TestDatabase;
  readonly store: TestStore;
  /** A separate engine, which is not disturbed. */
  readonly imports: TestImports;
  /** A separate app with the residents; all files have the same length. */
  newPlace(): Promise<Place>;
  /** The results of a job: its counts, its rejects, what it stored of its lines, the app's tables. @param path ends in the job's id */
  outcomeOf(place: Place, path: string): Promise<object>;
  /** @param path ends in the job's id */
  isReceiving(path: string): Promise<boolean>;
  /** The result of importing the file. @param query options of the job, as in its path */
  undisturbed(query?: string): Promise<object>;
  dispose(): Promise<void>;
}

export interface StageOptions {
  readonly lines: number;
  /** Of the undisturbed import. Default 65,536. */
  readonly chunkBytes?: number;
  /** Another one than the run's PostgreSQL has; it is not removed. */
  readonly database?: TestDatabase;
}

export async function openStage({ lines, chunkBytes = 65_536, ...options }: StageOptions): Promise<Stage> {
  const database = options.database ?? (await createMigratedDatabase());
  const store = await openStoreOn(database.connection);
  const imports = openTestImports(database.connection, { chunkBytes });
  const newPlace = async (): Promise<Place> => {
    const tenant = await store.newApp();
    const { tenantId } = await store.newTenant(tenant);
    await imports.run(tenant, residents(lines));
    return { tenant, app: `/appid-${tenant.appId}`, file: mixedFile(lines, tenantId) };
  };
  /** Files of two places name different tenants, so their digests differ. */
  const linesOf = async (id: string, file: Buffer): Promise<object> => {
    const { digests, outcomes } = await ledgerOf(store, id);
    return { hasDigests: digests === Buffer.from(digestsOfLines({ bytes: file })).toString('hex'), outcomes };
  };
  const outcomeOf = async ({ tenant, file }: Place, path: string): Promise<object> => {
    const id = path.split('/').at(-1) ?? '';
    const job = await imports.find(tenant, id);
    await claimsSpent(database.connection, id);
    return {
      job: job && standingOf(job),
      rejects: await imports.allRejects(tenant, id),
      ...(job?.receipt === true && (await linesOf(id, file))),
      tables: await tablesOf(database.connection, tenant.appNo),
    };
  };
  return {
    database,
    store,
    imports,
    newPlace,
    outcomeOf,
    isReceiving: async (path) => {
      const id = path.split('/').at(-1) ?? '';
      const [row] = await store.sql<{ state: number }>('select state from import_jobs where job_id = $1', [
        id,
      ]);
      return row?.state === 1;
    },
    undisturbed: async (query = '') => {
      const place = await newPlace();
      const { onConflict, dryRun, receipt } = Object.fromEntries(new URLSearchParams(query)) as Record<
        string,
        string
      >;
      const words = {
        onConflict: onConflict === 'skip' || onConflict === 'reject' ? onConflict : 'update',
      } as const;
      const options = {
        ...words,
        dryRun: dryRun === 'true',
        receipt: receipt === 'true',
        uploadLength: place.file.length,
      };
      const { id } = await imports.run(place.tenant, place.file.toString(), options);
      return outcomeOf(place, id);
    },
    dispose: async () => {
      await imports.dispose();
      await store.dispose();
      if (!options.database) await database.drop();
    },
  };
}
