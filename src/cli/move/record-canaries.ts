/** What came of the canaries, for the move of the app: its steps are refused after failed ones. */

import type { KnownSecrets } from '../../imports/canaries/known.ts';
import { type CoreClient, CoreRefusal } from '../client/core-client.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * Creates a job with canaries, and records their outcome in the app's move, if there is one and the key has the scope `move`. An import
 * needs neither, so any other outcome of the record leaves it as it is.
 * @param create the core verifies the canaries first, and refuses the job at the first one that fails
 */
export async function recordingCanaries<Made>(
  known: KnownSecrets,
  client: CoreClient,
  { interrupt: signal, stderr }: Surroundings,
  create: () => Promise<Made>,
): Promise<Made> {
  const record = async (input: { readonly verified: number; readonly failed: number }): Promise<void> => {
    const request = { method: 'POST', path: '/move/canaries', input, signal } as const;
    const answer = await client.call<{ readonly status: string }>(request).catch((error: unknown) => {
      if (error instanceof CoreRefusal) return { status: error.code };
      throw error;
    });
    if (answer.status === 'OK') stderr.write('The outcome of the canaries was recorded in the move\n');
  };
  try {
    const made = await create();
    stderr.write('Every canary was verified\n');
    await record({ verified: (known.passwords?.length ?? 0) + (known.codes?.length ?? 0), failed: 0 });
    return made;
  } catch (error) {
    if (error instanceof CoreRefusal && error.code === 'CANARY_FAILED')
      await record({ verified: 0, failed: 1 });
    throw error;
  }
}
