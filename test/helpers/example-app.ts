/** The app of examples/app as a reader starts it, next to a core of the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestCore } from './core.ts';
import { runExample } from './process.ts';

export interface ExampleApp {
  readonly url: string;
  readonly stdout: () => string;
  /** @returns its exit code */
  stop(): Promise<number | null>;
}

/** Long enough for a step on a busy machine, short enough to wait for. */
const accessTokenSeconds = 4;

/** @param appId the core's app that the users are imported into */
export async function startExampleApp({ url, apiKey }: TestCore, appId: string): Promise<ExampleApp> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'carryover-example-'));
  const program = runExample({
    environment: {
      HOME: home,
      CARRYOVER_URL: url,
      CARRYOVER_API_KEY: apiKey,
      EXAMPLE_PORT: '0',
      EXAMPLE_PROVIDER_PORT: '0',
      EXAMPLE_APP_ID: appId,
      EXAMPLE_ACCESS_TOKEN_SECONDS: String(accessTokenSeconds),
    },
  });
  const [, address = ''] = await program.printed(/ready at (\S+)/);
  return {
    url: address,
    stdout: program.stdout,
    async stop() {
      const [code] = await program.end();
      await rm(home, { recursive: true, force: true });
      return code;
    },
  };
}
