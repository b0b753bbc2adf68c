/** The keys of a core as a process: configured ones and the one in its folder; read again on request. */
import { type Config, type ConfigSources, loadConfig } from '../config/load.ts';
import { ensureApiKey, findApiKey } from '../process/keys/api-keys.ts';
import type { Logger } from '../process/log.ts';
import type { Core } from './core.ts';

export interface ProcessKeys {
  readonly apiKeys: readonly string[];
  /** The key that this start made, to be shown once. */
  readonly created: string | undefined;
}

/**
 * Whether the core generates a key with all scopes because none is set. Named keys do not prevent it, because adding one for
 * monitoring would remove the generated one; with an external database the core may have no writable folder.
 */
export function makesKey({ apiKeys, namedKeys, postgresqlConnectionUri }: Config): boolean {
  return apiKeys.length === 0 && (namedKeys.length === 0 || postgresqlConnectionUri === undefined);
}

/** @throws StartupError when a key is needed and cannot be made */
export async function processKeys(config: Config): Promise<ProcessKeys> {
  if (config.apiKeys.length > 0) return { apiKeys: config.apiKeys, created: undefined };
  if (!makesKey(config)) {
    const made = await findApiKey(config.dataDir);
    return { apiKeys: made === undefined ? [] : [made], created: undefined };
  }
  const { key, created } = await ensureApiKey(config.dataDir);
  return { apiKeys: [key], created: created ? key : undefined };
}

/**
 * Reads `api_keys` and `named_keys` again at each SIGHUP; after an error the keys stay. On a terminal the signal still means that
 * it was closed.
 * @returns a function that stops listening
 */
export function reloadKeysOnHangUp(core: Core, sources: ConfigSources, log: Logger): () => void {
  if (process.stdin.isTTY || process.stdout.isTTY) return () => undefined;
  let last = Promise.resolve();
  const onSignal = (): void => {
    last = last
      .then(() => reload(core, sources, log))
      .catch((error: unknown) => {
        log.error({ err: error }, 'the keys could not be read again: the former ones stay');
      });
  };
  process.on('SIGHUP', onSignal);
  return () => {
    process.off('SIGHUP', onSignal);
  };
}

async function reload(core: Core, sources: ConfigSources, log: Logger): Promise<void> {
  const config = loadConfig(sources);
  const { apiKeys } = await processKeys(config);
  core.replaceKeys({ apiKeys, named: config.namedKeys });
  log.info(
    { unnamed: apiKeys.length, named: config.namedKeys.map(({ name }) => name) },
    'keys were read again',
  );
}
