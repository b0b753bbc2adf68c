/** The set-up of a file that tests imports over a new database: real threads, real tables, an app for each test. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { openTestImports, type TestImports, type TestImportsOptions } from './imports.ts';
import { createMigratedDatabase, type TestDatabase } from './postgres.ts';
import { openStoreOn, type TestStore } from './store.ts';

export interface UsedImports {
  readonly database: TestDatabase;
  readonly store: TestStore;
  readonly imports: TestImports;
}

/**
 * Called once, at the top of a file.
 * @param begin is called with the parts before the first test, and with a new app's tenant before each
 */
export function useImports(
  begin: { readonly all: (used: UsedImports) => void; readonly each: (tenant: Tenant) => void },
  options: TestImportsOptions = {},
): void {
  let used: UsedImports | undefined;
  beforeAll(async () => {
    const database = await createMigratedDatabase();
    const store = await openStoreOn(database.connection);
    used = { database, store, imports: openTestImports(database.connection, options) };
    begin.all(used);
  });
  beforeEach(async () => {
    if (used) begin.each(await used.store.newApp());
  });
  afterAll(async () => {
    await used?.imports.dispose();
    await used?.store.dispose();
    await used?.database.drop();
  });
}
