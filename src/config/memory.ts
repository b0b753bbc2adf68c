/**
 * A budget of the memory of the container or machine: password hashes and imports share what PostgreSQL and Node leave. The
 * shares were measured in control groups: docs/operate/container.md.
 */
import os from 'node:os';
import { bytesPerMiB, sharedBuffersMb } from '../process/memory.ts';
import { StartupError } from '../process/startup-error.ts';
import { settings, type Values } from './schema.ts';

/** All in MiB. */
export interface MemoryBudget {
  readonly limitMb: number;
  /** 0 unless PostgreSQL is embedded. */
  readonly postgresqlMb: number;
  /** Without hashes and imports. */
  readonly nodeMb: number;
  readonly hashingMb: number;
  readonly importMb: number;
}

/** Settings whose defaults are lower if memory is short. */
export type MemorySettings = Pick<
  Values,
  | 'hashing_threads'
  | 'hashing_memory_budget_mb'
  | 'import_memory_budget_mb'
  | 'argon2_max_memory_kb'
  | 'scrypt_max_memory_mb'
  | 'postgresql_connection_pool_size'
>;

const { properties } = settings;
const kbPerMb = 1024;

/** The event loop with its heap and code. */
const nodeBaseMb = 104;
/** A password thread with its heap. */
const passwordThreadMb = 12;
/** An import thread with its heap. */
const importThreadMb = 20;
/** The postmaster and its helpers, without `shared_buffers`. */
const postgresqlBaseMb = 20;
const connectionMb = 5;
/** Below this, memory is worth more than connections. */
const smallMb = 512;
const smallPoolSize = 6;
/** Enough for one hash with the default settings, and for one of most systems. */
const leastHashingMb = 32;
const leastImportMb = 8;
/**
 * Required for imports and hashes together: what 256 MiB leave on two cores with an external PostgreSQL, the least in which
 * imports of 100,000 users were measured. With 199 MiB an import of 20,000 got the core killed.
 */
const leastForImportsMb = 88;

export type MemoryInput = Pick<
  Values,
  | 'import_lanes'
  | 'import_chunk_bytes'
  | 'password_hashing_alg'
  | 'argon2_memory_kb'
  | 'postgresql_connection_uri'
> &
  Partial<MemorySettings>;

/**
 * Defaults of unset settings, at most those of the schema, so that settings and defaults fit together.
 * @param limitBytes of the control group or the machine
 */
export function memorySettings(limitBytes: number, input: MemoryInput): MemorySettings {
  const left = leftMb(limitBytes, input);
  const hashingMb =
    input.hashing_memory_budget_mb ??
    Math.max(
      Math.min(left.hashingMb, properties.hashing_memory_budget_mb.default),
      Math.ceil(Math.max(ownHashKb(input), input.argon2_max_memory_kb ?? 0) / kbPerMb),
      input.scrypt_max_memory_mb ?? 0,
    );
  return {
    hashing_threads: passwordThreads(limitBytes, input),
    hashing_memory_budget_mb: hashingMb,
    import_memory_budget_mb:
      input.import_memory_budget_mb ?? Math.min(left.importMb, properties.import_memory_budget_mb.default),
    argon2_max_memory_kb:
      input.argon2_max_memory_kb ?? Math.min(hashingMb * kbPerMb, properties.argon2_max_memory_kb.default),
    scrypt_max_memory_mb:
      input.scrypt_max_memory_mb ?? Math.min(hashingMb, properties.scrypt_max_memory_mb.default),
    postgresql_connection_pool_size: poolSize(limitBytes, input),
  };
}

export interface JudgedMemory {
  readonly budget: MemoryBudget;
  /** A line for each setting that exceeds the memory. */
  readonly warnings: readonly string[];
  /** Why imports are refused: the system would kill the core during one. */
  readonly importsRefused: string | undefined;
}

/**
 * The budget that results from the settings.
 * @param set settings without defaults: setting a budget accepts its risk
 * @throws StartupError if Node and PostgreSQL alone do not fit
 */
export function judgedMemory(
  limitBytes: number,
  input: MemoryInput & MemorySettings,
  set: MemoryInput,
): JudgedMemory {
  const left = leftMb(limitBytes, input);
  if (set.hashing_memory_budget_mb === undefined) requireStart(limitBytes, left);
  return { ...budgetOf(limitBytes, input, left), importsRefused: refusalOfImports(limitBytes, left, set) };
}

type LeftMb = ReturnType<typeof leftMb>;

/** Import threads start with the first import, so they do not count here. */
function requireStart(limitBytes: number, { mb, nodeMb, postgresqlMb, importThreadsMb }: LeftMb): void {
  const limitMb = Math.floor(limitBytes / bytesPerMiB);
  const neededMb = nodeMb - importThreadsMb + postgresqlMb;
  if (mb + importThreadsMb >= 0) return;
  const elsewhere = postgresqlMb > 0 ? ', use a PostgreSQL elsewhere (POSTGRESQL_CONNECTION_URI)' : '';
  throw new StartupError(
    `of ${limitMb} MiB of memory the core needs ${neededMb} before any sign-in: give it more${elsewhere}, or set hashing_memory_budget_mb to start all the same; see "How much memory" in docs/operate/container.md`,
  );
}

function refusalOfImports(
  limitBytes: number,
  { mb, nodeMb, postgresqlMb }: LeftMb,
  { import_memory_budget_mb: set }: MemoryInput,
): string | undefined {
  if (mb >= leastForImportsMb || set !== undefined) return undefined;
  const limitMb = Math.floor(limitBytes / bytesPerMiB);
  return `The core has ${limitMb} MiB of memory, and imports need ${nodeMb + postgresqlMb + leastForImportsMb} here: give it more, or set import_memory_budget_mb to import all the same; see "How much memory" in docs/operate/container.md`;
}

function budgetOf(
  limitBytes: number,
  input: MemoryInput & MemorySettings,
  left: LeftMb,
): Pick<JudgedMemory, 'budget' | 'warnings'> {
  const limitMb = Math.floor(limitBytes / bytesPerMiB);
  const budget = {
    limitMb,
    postgresqlMb: left.postgresqlMb,
    nodeMb: left.nodeMb,
    hashingMb: input.hashing_memory_budget_mb,
    importMb: input.import_memory_budget_mb,
  };
  const together = budget.hashingMb + budget.importMb;
  const cure = 'lower it, or give the core more memory';
  if (together <= left.mb) return { budget, warnings: [] };
  const room = `of ${limitMb} MiB of memory, ${left.nodeMb} are for Node and ${left.postgresqlMb} for PostgreSQL, which leaves ${Math.max(left.mb, 0)} MiB`;
  const tooLarge = [
    ['hashing_memory_budget_mb', budget.hashingMb, left.hashingMb] as const,
    ['import_memory_budget_mb', budget.importMb, left.importMb] as const,
  ].filter(([, set, share]) => set > share);
  const warnings = tooLarge.map(([key, set]) => `${key} is ${set} MiB: ${room}: ${cure}`);
  return {
    budget,
    warnings:
      warnings.length > 0
        ? warnings
        : [
            `hashes and imports may take ${together} MiB together: ${room}: give the core more memory, see "How much memory" in docs/operate/container.md`,
          ],
  };
}

/** @returns shares that are never below the minimum that the core needs */
function leftMb(limitBytes: number, input: MemoryInput) {
  const limitMb = limitBytes / bytesPerMiB;
  const importThreads = Math.min(input.import_lanes, os.availableParallelism());
  const importThreadsMb = importThreads * importThreadMb;
  const nodeMb = nodeBaseMb + passwordThreads(limitBytes, input) * passwordThreadMb + importThreadsMb;
  const postgresqlMb =
    input.postgresql_connection_uri === undefined
      ? postgresqlBaseMb + sharedBuffersMb(limitBytes) + poolSize(limitBytes, input) * connectionMb
      : 0;
  const mb = Math.floor(limitMb - nodeMb - postgresqlMb);
  const chunksMb = Math.ceil((input.import_lanes * input.import_chunk_bytes) / bytesPerMiB);
  const importMb = Math.max(
    Math.min(Math.floor(mb / 4), properties.import_memory_budget_mb.default),
    chunksMb,
    leastImportMb,
  );
  const hashingMb = Math.max(mb - importMb, leastHashingMb);
  return { mb, nodeMb, importThreadsMb, postgresqlMb, importMb, hashingMb };
}

function poolSize(limitBytes: number, input: MemoryInput): number {
  const set = input.postgresql_connection_pool_size;
  if (set !== undefined) return set;
  const usual = properties.postgresql_connection_pool_size.default;
  if (limitBytes >= smallMb * bytesPerMiB) return usual;
  return Math.min(Math.max(smallPoolSize, input.import_lanes + 2), usual);
}

/** The number of CPUs, unless their threads would fill a quarter of the memory: a container may see 64 CPUs. */
function passwordThreads(limitBytes: number, { hashing_threads: set }: MemoryInput): number {
  if (set !== undefined) return set;
  const affordable = Math.floor(limitBytes / bytesPerMiB / 4 / passwordThreadMb);
  return Math.max(Math.min(os.availableParallelism(), affordable), 1);
}

/** KiB of one hash made here. */
function ownHashKb({ password_hashing_alg: algorithm, argon2_memory_kb: kb }: MemoryInput): number {
  return algorithm === 'ARGON2' ? kb : 0;
}
