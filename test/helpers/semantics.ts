/** The guarantees of imports, tried through the whole engine: its parts, records that meet, and the results. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Counts, Job } from '../../src/imports/model.ts';
import type { NativeLoginMethod, NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { bcryptHash, openTestImports, type TestImports, type TestImportsOptions } from './imports.ts';
import { inlineThreads } from './merging.ts';
import { createMigratedDatabase } from './postgres.ts';
import { openStoreOn, type TestStore } from './store.ts';

export interface Engines {
  readonly store: TestStore;
  /** Processes a file in one chunk. */
  readonly imports: TestImports;
  /** Another engine on the same database, which is closed with the others. */
  importsOf(options: TestImportsOptions): TestImports;
  dispose(): Promise<void>;
}

/** Engines without threads over a new database. Call `dispose()` in `afterAll`. */
export async function openEngines(): Promise<Engines> {
  const database = await createMigratedDatabase();
  const store = await openStoreOn(database.connection);
  const opened: TestImports[] = [];
  const importsOf = (options: TestImportsOptions): TestImports => {
    const made = openTestImports(database.connection, { threads: inlineThreads, ...options });
    opened.push(made);
    return made;
  };
  return {
    store,
    importsOf,
    imports: importsOf({ chunkBytes: 1_048_576, lanes: 1 }),
    dispose: async () => {
      await Promise.all(opened.map((each) => each.dispose()));
      await store.dispose();
      await database.drop();
    },
  };
}

/** Called once, at the top of a file. @param begin receives the engines and a new app's tenant before each test */
export function useEngines(begin: (engines: Engines, tenant: Tenant) => void): void {
  let engines: Engines | undefined;
  beforeAll(async () => {
    engines = await openEngines();
  });
  beforeEach(async () => {
    if (engines) begin(engines, await engines.store.newApp());
  });
  afterAll(() => engines?.dispose());
}

export const hash = bcryptHash(1);

export function password(email: string, rest: object = {}): NativeLoginMethod {
  return {
    recipeId: 'emailpassword',
    email,
    passwordHash: hash,
    timeJoinedInMSSinceEpoch: 1000,
    ...rest,
  };
}

export function google(id: string, rest: object = {}): NativeLoginMethod {
  return {
    recipeId: 'thirdparty',
    thirdPartyId: 'google',
    thirdPartyUserId: id,
    email: `${id}@example.com`,
    timeJoinedInMSSinceEpoch: 2000,
    ...rest,
  };
}

export function recordOf(
  externalUserId: string | undefined,
  ...loginMethods: NativeLoginMethod[]
): NativeUser {
  return { ...(externalUserId !== undefined && { externalUserId }), loginMethods };
}

/** These counts, and 0 for the others. */
export function counts(some: Partial<Counts>): Counts {
  return { created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0, ...some };
}

/** Line, code and field of each reject. */
export async function codesOf(imports: TestImports, tenant: Tenant, { id }: Job): Promise<unknown[][]> {
  return (await imports.allRejects(tenant, id)).map(({ line, code, field }) => [line, code, field]);
}

export const emailOf = (n: number): string => `user-${n}@example.com`;

/** The user of one number, with the email of another. */
export const numberedUser = (n: number, email = n): NativeUser =>
  recordOf(`id-${n}`, password(emailOf(email)));

/** One line a chunk, one after the other or three at once. */
export const cutters = [
  ['in one chunk', { chunkBytes: 1_048_576, lanes: 1 }],
  ['in a chunk each', { chunkBytes: 50, lanes: 1 }],
  ['in a chunk each, side by side', { chunkBytes: 50, lanes: 3 }],
] as const;
