import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config, type ConfigSources, loadConfig } from '../config/load.ts';
import { type Core, startCore, threadsLoaded } from './core.ts';
import { noteListening } from '../process/listening-note.ts';
import { createLogger, type Logger } from '../process/log.ts';
import { ensureSecretFile } from '../process/secret-file.ts';
import { ofDisk } from '../process/startup-error.ts';
import { onStopSignals } from '../process/stop-signals.ts';
import { readConnectionUri } from '../database/connection/uri.ts';
import { startEmbedded } from '../embedded/embedded.ts';
import type { ConnectionTarget } from '../database/database.ts';
import { welcome } from './banner.ts';
import { makesKey, type ProcessKeys, processKeys, reloadKeysOnHangUp } from './process-keys.ts';

export interface RunOptions extends ConfigSources {
  readonly version: string;
  /** For a parent process: the core stops when the parent has ended for any reason. */
  readonly endsWithInput: boolean;
}

/**
 * Runs the core as a process: settings, embedded PostgreSQL, core, stop on a signal.
 * @throws StartupError
 */
export async function runCore({ file, environment, version, endsWithInput }: RunOptions): Promise<void> {
  const config = loadConfig({ file, environment });
  const log = createLogger({ level: config.logLevel });
  for (const warning of config.memory.warnings) log.warn(warning);
  const end = forcedEnd(log);
  const stop = Promise.withResolvers<string>();
  onStopSignals({
    stop: stop.resolve,
    endNow: () => {
      end.now('a second signal');
    },
  });
  if (endsWithInput) onInputEnd(stop.resolve);

  const { keys, postgres, sealing } = await prepare(config, environment, log).catch((error: unknown) => {
    throw ofDisk(error, config.dataDir);
  });
  try {
    const core = await startCore({
      config,
      target: postgres.target,
      otherPlaces: config.places.map(({ name, uri }) => ({
        name,
        target: readConnectionUri(uri, environment),
      })),
      apiKeys: keys.apiKeys,
      encryptionKeys: sealing,
      version,
      log,
    });
    const stopReloading = reloadKeysOnHangUp(core, { file, environment }, log);
    await serve(core, { config, log, keys, end, stop: stop.promise }).finally(stopReloading);
  } finally {
    await postgres.stop();
  }
}

async function prepare(config: Config, environment: ConfigSources['environment'], log: Logger) {
  const keys = await processKeys(config);
  const sealing = await encryptionKeys(config);
  if (sealing.length === 0) log.warn(noKeys);
  return { keys, sealing, postgres: await startPostgres(config, environment, log) };
}

interface Serving {
  readonly config: Config;
  readonly log: Logger;
  readonly keys: ProcessKeys;
  readonly end: ForcedEnd;
  readonly stop: Promise<string>;
}

async function serve(core: Core, { config, log, keys, end, stop }: Serving): Promise<void> {
  log.info({ memory: config.memory.budget, host: core.host, port: core.port }, 'listening');
  const ready = core.ready.then((canServe) => {
    if (!canServe) return;
    log.info('ready');
    if (!isForPeople(config)) return;
    const isTerminal = process.stdout.isTTY;
    process.stdout.write(welcome({ config, port: core.port, createdKey: keys.created, isTerminal }));
  });
  ready.catch(() => undefined);
  let forget: (() => Promise<void>) | undefined;
  try {
    if (makesKey(config)) forget = await noteListening(config.dataDir, core.port);
    const signal = await Promise.race([stop, ready.then(() => stop)]);
    if (signal === 'SIGTERM' && config.drainDelayMs > 0) await leaveBalancers(core, config, log);
    log.info({ signal }, 'stopping: finishing what is accepted, refusing what is new');
    setTimeout(() => {
      end.now('shutdown_timeout_ms is over');
    }, config.shutdownTimeoutMs).unref();
  } finally {
    await core.close();
    await forget?.();
    end.everythingAcceptedIsDone = true;
  }
  log.info('stopped');
}

/** After SIGTERM balancers continue to send for some seconds. After Ctrl-C there is no balancer and no delay. */
async function leaveBalancers(core: Core, { drainDelayMs }: Config, log: Logger): Promise<void> {
  core.announceStop();
  log.info({ drainDelayMs }, 'not ready any more: serving on until drain_delay_ms is over');
  await delay(drainDelayMs);
}

/** With configured keys and without a terminal, output goes to a log collector: one JSON object a line. */
function isForPeople(config: Config): boolean {
  return makesKey(config) || process.stdout.isTTY;
}

/** Time for threads that are still loading their modules at a forced end. */
const loadingMs = 2000;

/** Limits a hanging stop to the time that an orchestrator allows. */
interface ForcedEnd {
  /** Set when only the embedded PostgreSQL's checkpoint is missing: it completes without the core. */
  everythingAcceptedIsDone: boolean;
  /** Ends the process at once, but waits for loading threads, which would abort it. */
  now(reason: string): void;
}

function forcedEnd(log: Logger): ForcedEnd {
  const end: ForcedEnd = {
    everythingAcceptedIsDone: false,
    now(reason) {
      const { everythingAcceptedIsDone } = end;
      log.warn({ reason, everythingAcceptedIsDone }, 'ending now');
      const exit = (): void => process.exit(everythingAcceptedIsDone ? 0 : 1);
      setTimeout(exit, loadingMs).unref();
      void threadsLoaded().then(exit);
    },
  };
  return end;
}

/** The system closes the pipe when the parent ends for any reason. */
function onInputEnd(stop: (reason: string) => void): void {
  process.stdin.once('end', () => {
    stop('the end of the input');
  });
  // No input is expected, and it must not keep the process alive.
  process.stdin.resume().unref();
}

const noKeys =
  "encryption_keys is not set, and for a database of yours the core makes none: sessions, second factors and providers' secrets are refused until ENCRYPTION_KEYS has the same value on every core (openssl rand -base64 32)";

/**
 * With an embedded PostgreSQL, the first start makes a key next to the data. An external database may have other cores and
 * outlives this folder, so its key must be configured.
 */
async function encryptionKeys(config: Config): Promise<readonly Uint8Array[]> {
  const { dataDir, encryptionKeys: configured, postgresqlConnectionUri } = config;
  if (configured.length > 0 || postgresqlConnectionUri !== undefined) return configured;
  const { secret } = await ensureSecretFile(path.join(dataDir, 'encryption-key'));
  return [Buffer.from(secret, 'base64url')];
}

async function startPostgres(
  config: Config,
  environment: ConfigSources['environment'],
  log: Logger,
): Promise<{ target: ConnectionTarget; stop: () => Promise<void> }> {
  const uri = config.postgresqlConnectionUri;
  if (uri !== undefined)
    return { target: readConnectionUri(uri, environment), stop: () => Promise.resolve() };
  const embedded = await startEmbedded({ dataDir: config.dataDir, log });
  return { target: embedded.connection, stop: () => embedded.stop() };
}
