/** One real PostgreSQL for the whole run; each test file takes databases of its own from it. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLogger } from '../../src/log.ts';
import { startEmbedded } from '../../src/store/embedded.ts';
import type { EmbeddedConnection } from '../../src/store/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: EmbeddedConnection;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'carryover-test-'));
  // When the tests run as root the server is another user, who has to get in.
  await chmod(dataDir, 0o755);
  const log = createLogger({ level: 'error' });
  const embedded = await startEmbedded({
    dataDir,
    log,
    settings: { shared_buffers: '256MB', max_connections: '200' },
  });
  project.provide('postgres', embedded.connection);
  return async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
