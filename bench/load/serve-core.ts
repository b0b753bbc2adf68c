import { createLogger } from '../../src/process/log.ts';
import { loadConfig } from '../../src/config/load.ts';
import { startCore } from '../../src/core/core.ts';
import { readConnectionUri } from '../../src/database/connection/uri.ts';
import type { Listening } from './processes.ts';

/**
 * The core as a separate process with its own CPU time and memory. Configured by the environment like the real one; `maxBatch` is
 * not a setting: 1 turns group commit off for comparison.
 */
export async function serveCore({ maxBatch }: { readonly maxBatch?: number }): Promise<Listening> {
  const config = loadConfig({ environment: process.env });
  const uri = config.postgresqlConnectionUri;
  if (uri === undefined) throw new Error('POSTGRESQL_CONNECTION_URI is not set');
  const core = await startCore({
    config,
    target: readConnectionUri(uri),
    apiKeys: config.apiKeys,
    encryptionKeys: [Buffer.alloc(32, 1)],
    version: 'bench',
    log: createLogger({ level: config.logLevel }),
    ...(maxBatch !== undefined && { overrides: { maxBatch } }),
  });
  await core.ready;
  process.once('SIGTERM', () => void core.close());
  return { port: core.port };
}
