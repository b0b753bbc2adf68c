/** The set-up of a file that runs the real command against a whole core. */
import { afterAll, beforeAll } from 'vitest';
import { makePlace, type Place, type RunOptions } from './carryover.ts';
import { startTestCore, testApiKey, type TestCore } from './core.ts';

/** The command has the key of the core. */
export const withTestKey: RunOptions = { environment: { CARRYOVER_API_KEY: testApiKey } };

/**
 * Called once, at the top of a file.
 * @param receive takes both before the first test
 */
export function useCoreAndPlace(
  receive: (used: { readonly core: TestCore; readonly place: Place }) => void,
): void {
  let used: { readonly core: TestCore; readonly place: Place } | undefined;
  beforeAll(async () => {
    const [core, place] = await Promise.all([startTestCore(), makePlace()]);
    used = { core, place };
    receive(used);
  });
  afterAll(async () => {
    await Promise.all([used?.core.stop(), used?.place.remove()]);
  });
}
