import { statfs } from 'node:fs/promises';
import os from 'node:os';
import type { Config } from '../../config/load.ts';
import { describeIncomplete } from '../output/incomplete.ts';
import { readInput } from '../input/read-input.ts';
import { ConnectionBroken } from '../client/http.ts';
import { CommandError } from '../command-error.ts';
import { bytes } from '../output/format.ts';
import type { Input } from '../input/input.ts';
import type { Surroundings } from '../surroundings.ts';
import { calibrateHashes } from './calibrate/hashes.ts';
import { calibrateImport } from './calibrate/import.ts';
import { calibrateRequests } from './calibrate/requests.ts';
import { type CoreSettings, type PrivateCore, startPrivateCore } from './calibrate/private-core.ts';
import { type Plan, reckon } from './reckon.ts';
import { surveyFile, type Survey } from './survey.ts';
import type { HashPolicy } from '../../domain/model.ts';
import { tenantProperties } from '../../config/schema-tenant.ts';
import { hashLimitKeys, widestLimits } from '../../config/tenant-settings.ts';

export interface PlanOptions {
  readonly input: Input;
  /** The configuration of the core that the users will be imported into. */
  readonly config: Config;
  /** Password sign-ins a second of the first morning; undefined: a tenth of the users within an hour. */
  readonly arrivals: number | undefined;
  /** For all measurements together. */
  readonly calibrateSeconds: number;
}

/** Shares of the calibration time; servers start and stop in the rest. */
const shares = { importing: 0.45, requests: 0.05, hashing: 0.35 };

/**
 * Reads the file once, imports part of it into a separate core, verifies some of its hashes, and computes the plan. Leaves
 * nothing: that core, its PostgreSQL and their folder are removed, also when it is interrupted.
 * @throws CommandError for a file without users
 */
export async function makePlan(options: PlanOptions, surroundings: Surroundings): Promise<Plan> {
  const { input, config, calibrateSeconds } = options;
  const { stderr, interrupt: signal } = surroundings;
  const say = (text: string): void => void stderr.write(`${text}\n`);
  await requireSpace(calibrateSeconds);
  warnIfBusy(say);
  const rules = { acceptsPart: true, countsAmbiguousDates: true };
  const { result, incomplete } = await readInput(input, rules, surroundings, async (source, log) => {
    say('Reading the file');
    const survey = await surveyFile(source, config, log, surroundings);
    if (survey.users === 0)
      throw new CommandError("This file has no users to plan for: 'carryover inspect' shows why");
    say('Starting a core and a PostgreSQL of its own for the calibration');
    const settings = settingsFor(config, survey);
    return withPrivateCore(settings, surroundings, async (core) => {
      // Before the import: PostgreSQL does maintenance work after one, which is not part of a sign-in's cost.
      const measuring = { seconds: calibrateSeconds * shares.requests, signal };
      const requests = await calibrateRequests(core, measuring);
      const seconds = calibrateSeconds * shares.importing;
      say(`Calibrating the import: ${Math.round(seconds)} s`);
      const sample = { seconds, tenants: survey.tenants, signal };
      return { survey, requests, imported: await calibrateImport(core, source, sample) };
    });
  });
  const { survey, imported, requests } = result;
  for (const line of describeIncomplete(incomplete)) say(line);
  const hashing = calibrateSeconds * shares.hashing;
  say(`Calibrating sign-ins: ${Math.round(hashing)} s`);
  const hashes = await calibrateHashes(survey, {
    seconds: hashing,
    threads: config.hashingThreads,
    memoryBudgetBytes: config.hashingMemoryBudgetBytes,
    policy: config.hashPolicy,
    signal,
  });
  return reckon(options, survey, { imported, requests, hashes });
}

async function withPrivateCore<Result>(
  settings: CoreSettings,
  surroundings: Surroundings,
  work: (core: PrivateCore) => Promise<Result>,
): Promise<Result> {
  const core = await startPrivateCore(settings, surroundings);
  try {
    return await work(core);
  } catch (error) {
    if (!(error instanceof ConnectionBroken)) throw error;
    throw new CommandError(`The core for the calibration does not answer: ${error.reason}. Try it again`, {
      cause: error,
      code: 'NO_CORE',
    });
  } finally {
    await core.stop();
  }
}

/** The maximum that an import writes in a second of the calibration, tables and log, and the size of an empty cluster. */
const bytesPerSecond = 30_000_000;
const clusterBytes = 100_000_000;

/** @throws CommandError if the calibration might fill the disk */
async function requireSpace(calibrateSeconds: number): Promise<void> {
  const folder = os.tmpdir();
  const space = await statfs(folder).catch(() => undefined);
  if (!space) return;
  const free = space.bavail * space.bsize;
  const needed = clusterBytes + calibrateSeconds * bytesPerSecond;
  if (free < needed)
    throw new CommandError(
      `${folder}: has ${bytes(free)} free, and the calibration may take ${bytes(needed)} for a while: set TMPDIR to another folder, or lower --calibrate`,
    );
}

/** The figures do not account for the load of other programs. */
function warnIfBusy(say: (text: string) => void): void {
  const [load = 0] = os.loadavg();
  if (load > os.availableParallelism() / 2)
    say(
      `This machine is busy (load ${load.toFixed(1)}, ${os.availableParallelism()} cores): everything will look slower than it is; better when nothing else runs`,
    );
}

/** The user's configuration, as far as it affects an import, and ceilings that accept all of the file. */
function settingsFor(config: Config, { secrets }: Survey): CoreSettings {
  const signerKey = secrets.signerKey && Buffer.from(secrets.signerKey).toString('base64');
  return {
    import_lanes: config.importLanes,
    import_chunk_bytes: config.importChunkBytes,
    import_memory_budget_mb: config.importMemoryBudgetBytes / bytesPerMiB,
    postgresql_connection_pool_size: config.connectionPoolSize,
    hashing_threads: config.hashingThreads,
    hashing_memory_budget_mb: widestLimits.argon2MaxMemoryKb / 1024,
    ...policySettings(config.hashPolicy),
    ...Object.fromEntries(Object.values(hashLimitKeys).map((key) => [key, tenantProperties[key].maximum])),
    ...(signerKey !== undefined && { provider_password_hashing_signer_key: signerKey }),
    bcrypt_pepper: Buffer.from(secrets.pepper).toString('utf8'),
    allow_plain_text_import: true,
    // The measured sign-ins come from one address, and the cost of an upgrade is measured separately.
    guesses_per_account: 0,
    guesses_per_address: 0,
    upgrade_password_hashes: false,
  };
}

const bytesPerMiB = 1_048_576;

function policySettings(policy: HashPolicy): CoreSettings {
  if (policy.algorithm === 'BCRYPT')
    return {
      password_hashing_alg: 'BCRYPT',
      bcrypt_log_rounds: policy.logRounds,
      bcrypt_prefix: policy.prefix ?? '2b',
    };
  return {
    password_hashing_alg: 'ARGON2',
    argon2_memory_kb: policy.memoryKb,
    argon2_iterations: policy.iterations,
    argon2_parallelism: policy.parallelism,
  };
}
