/** The engine of bulk imports over a new database, with real threads. */
import { v7 as uuidv7 } from 'uuid';
import { Admission } from '../../src/imports/chunks/admission.ts';
import type { Engine } from '../../src/imports/engine.ts';
import { openLanes } from '../../src/imports/chunks/lanes.ts';
import { createImports, type Imports } from '../../src/imports/imports.ts';
import type { Counts, Job, NewJob, Reject } from '../../src/imports/model.ts';
import { FactorSealer } from '../../src/imports/record/seal-factors.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { ChunkStore } from '../../src/imports/ports.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { createRowsPool, type RowsPool } from '../../src/threads/import-pool.ts';
import { examine } from '../../src/hashes/verify/examine.ts';
import { chunkStore } from '../../src/store/imports/chunk.ts';
import { jobStore } from '../../src/store/imports/jobs/jobs.ts';
import { tenantNumbers } from '../../src/store/imports/tenant-numbers.ts';
import { foreseeUndo, undoJob } from '../../src/store/imports/undo/undo.ts';
import { factorSeals } from '../../src/operations/factors/factor-seals.ts';
import { Sealer } from '../../src/process/sealer.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { TestDatabase } from './postgres.ts';

/** Of a key that tests know. */
const testKey = new Uint8Array(32).fill(7);
export const testSealer = new Sealer([testKey]);

/** As an import stores them until they become rows. */
export function sealedFactors(
  { appNo }: Pick<Tenant, 'appNo'>,
  factors: readonly object[],
): readonly object[] {
  return new FactorSealer({ appNo, keys: [testKey] }).seal(factors) as readonly object[];
}

/** In the form of the setting, for a core on the same database. */
export const testEncryptionKey = Buffer.from(testKey).toString('base64');
export const testSeals = factorSeals(testSealer);

export interface TestImports extends Imports {
  readonly engine: Omit<Engine, 'forgetLater'>;
  /** Imports lines as one upload. */
  run(tenant: Tenant, lines: Lines, options?: RunOptions): Promise<Job>;
  allRejects(tenant: Tenant, id: string): Promise<Reject[]>;
  dispose(): Promise<void>;
}

type Lines = string | readonly (NativeUser | string)[];

export interface RunOptions extends Partial<NewJob> {
  /** Bytes written at once. */
  readonly pieceBytes?: number;
}

export interface TestImportsOptions {
  readonly chunkBytes?: number;
  readonly lanes?: number;
  readonly allowPlainText?: boolean;
  readonly threads?: Pick<RowsPool, 'run' | 'close'>;
  readonly now?: () => number;
  /** Wraps the store between the engine and the database. */
  readonly wrap?: (chunks: ChunkStore) => ChunkStore;
}

/** @param connection of a migrated database */
export function openTestImports(
  connection: TestDatabase['connection'],
  { chunkBytes = 4096, lanes = 3, allowPlainText = false, ...rest }: TestImportsOptions = {},
): TestImports {
  const database = openDatabase({ target: connection, poolSize: 4 });
  const laneConnections = openDatabase({ target: connection, poolSize: lanes, planned: 'once' });
  const threads = rest.threads ?? createRowsPool({ threads: 2 });
  const many = Number.MAX_SAFE_INTEGER;
  const stored = chunkStore(laneConnections);
  const chunks = rest.wrap?.(stored) ?? stored;
  const engine: TestImports['engine'] = {
    jobs: jobStore(database),
    chunksOf: () => chunks,
    threads,
    bodyThreads: threads,
    hasher: {
      hash: (password) => Promise.resolve(`$test$${password}`),
      verify: (password, hash) => Promise.resolve(hash === `$test$${password}`),
    },
    tenantNumbers: (appNo) => tenantNumbers(database, appNo),
    lanes: openLanes(lanes, () => false),
    memory: new Admission({ slots: many, budgetBytes: 32 * 1_048_576, queueLimit: many }),
    mostAhead: 4,
    laneCount: lanes,
    chunkBytes,
    allowPlainText,
    encryptionKeys: [testKey],
    placeSecret: () => ({ low: 1, high: 2 }),
    now: rest.now ?? Date.now,
  };
  const imports = createImports({
    engine,
    newJobId: (now) => uuidv7({ msecs: now }),
    undo: (job, force) => undoJob(database, job, { force, seals: testSeals }),
    foreseeUndo: (job, force) => foreseeUndo(database, job, { force }),
    examine: (input) => Promise.resolve(examine(input)),
  });
  return {
    ...imports,
    engine,
    run: (tenant, lines, options) => run(imports, tenant, textOf(lines), options),
    allRejects: async (tenant, id) => {
      const all: Reject[] = [];
      for await (const page of imports.rejects(tenant, id)) all.push(...page);
      return all;
    },
    dispose: async () => {
      await imports.close();
      if (!rest.threads) await threads.close();
      await Promise.all([database, laneConnections].map((each) => each.close(1000)));
    },
  };
}

/** NDJSON of records; texts are not changed. */
export function textOf(lines: Lines): string {
  if (typeof lines === 'string') return lines;
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

async function run(
  imports: Imports,
  tenant: Tenant,
  text: string,
  { pieceBytes = 65_536, ...job }: RunOptions = {},
): Promise<Job> {
  const options: NewJob = {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    uploadLength: undefined,
    ...job,
  };
  const { id } = await imports.create(tenant, options);
  const upload = await imports.openUpload(tenant, id, { offset: 0, isWhole: true });
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    if (!upload.write(bytes.subarray(from, from + pieceBytes))) await upload.ready();
  }
  return upload.end();
}

export function countsOf({ created, updated, unchanged, skipped, rejected }: Job): Counts {
  return { created, updated, unchanged, skipped, rejected };
}

/** A bcrypt hash that parses; its 22 + 31 characters are made from `n`. */
export function bcryptHash(n: number): string {
  return `$2b$10$${String(n).padStart(22, 'a').slice(-22)}${String(n).padStart(31, 'b').slice(-31)}`;
}

/** A record of the most common kind. */
export function person(n: number, rest: Partial<NativeUser> = {}): NativeUser {
  return {
    externalUserId: `legacy-${n}`,
    loginMethods: [
      {
        recipeId: 'emailpassword',
        email: `person-${n}@example.com`,
        passwordHash: bcryptHash(n),
        isVerified: true,
        timeJoinedInMSSinceEpoch: 1_704_067_200_000 + n,
      },
    ],
    ...rest,
  };
}
