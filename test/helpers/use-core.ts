/** Set-ups of several files: a whole core, and for each test an app or for all of them the real command. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { makePlace, type Place, type RunOptions } from './carryover.ts';
import { startTestCore, testApiKey, type TestCore, type TestCoreOptions } from './core.ts';
import { newApp } from './people.ts';

/** The command has the key of the core. */
export const withTestKey: RunOptions = { environment: { CARRYOVER_API_KEY: testApiKey } };

/**
 * Called once, at the top of a file.
 * @param receive is called with both before the first test
 */
export function useCoreAndPlace(
  receive: (used: { readonly core: TestCore; readonly place: Place }) => void,
  options?: TestCoreOptions,
): void {
  let used: { readonly core: TestCore; readonly place: Place } | undefined;
  beforeAll(async () => {
    const [core, place] = await Promise.all([startTestCore(options), makePlace()]);
    used = { core, place };
    receive(used);
  });
  afterAll(async () => {
    await Promise.all([used?.core.stop(), used?.place.remove()]);
  });
}

interface CoreAndApp {
  readonly core: TestCore;
  /** The beginning of its paths. */
  readonly app: string;
}

/**
 * Called once, at the top of a file: one core for all of its tests, and a new app for each.
 * @param receive is called with both before each test
 */
export function useCoreAndApps(receive: (used: CoreAndApp) => void, options?: TestCoreOptions): void {
  let core: TestCore;
  beforeAll(async () => {
    core = await startTestCore(options);
  });
  afterAll(() => core.stop());
  beforeEach(async () => {
    receive({ core, app: await newApp(core) });
  });
}
