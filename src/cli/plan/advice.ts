import type { Config } from '../../config/load.ts';
import type { HashLimits } from '../../domain/model.ts';
import { policyBytes } from '../../hashes/assess.ts';
import { hashLimitKeys } from '../../config/tenant-settings.ts';
import { count } from '../output/format.ts';
import type { HashGroup } from './hash-groups.ts';
import type { Survey } from './survey.ts';

/** A setting of config.yaml and its recommended value. */
export interface Advice {
  readonly setting: string;
  /** undefined: a secret, or a value that a person has to find. */
  readonly value: string | number | boolean | undefined;
  /** The configured value; undefined when it is not set, or is a secret. */
  readonly current: string | number | boolean | undefined;
  /** One clause. */
  readonly why: string;
  /** Whether the setting has to be changed. */
  readonly isChange: boolean;
}

export interface AdviceInput {
  readonly config: Config;
  readonly survey: Survey;
  /** CPU cores of the machine that the plan is for. */
  readonly cores: number;
  /** Sign-ins a second on those CPU cores, before any hash is upgraded. */
  readonly signInsPerSecond: number;
}

const bytesPerMiB = 1_048_576;
/** Seconds after which a user who signs in has given up. */
const patienceSeconds = 5;

export function adviseSettings({ config, survey, cores, signInsPerSecond }: AdviceInput): Advice[] {
  const raised = ceilingAdvice(config, survey.groups);
  const lanes = Math.max(config.importLanes, Math.min(8, cores + 1));
  const queue = Math.max(64, Number((signInsPerSecond * patienceSeconds).toPrecision(2)));
  const pool = Math.max(config.connectionPoolSize, lanes + 6);
  return [
    advice('hashing_threads', cores, config.hashingThreads, 'one a core: more only makes each slower'),
    memoryAdvice(config, survey.groups, cores, raised),
    advice(
      'hashing_queue_limit',
      queue,
      config.hashingQueueLimit,
      `what ${cores === 1 ? 'one core' : `${cores} cores`} can do in ${patienceSeconds} s: users who wait longer have given up`,
    ),
    advice('import_lanes', lanes, config.importLanes, 'one more than cores keeps PostgreSQL busy, 8 at most'),
    advice(
      'postgresql_connection_pool_size',
      pool,
      config.connectionPoolSize,
      'the lanes, and six for sign-ins and other writes',
    ),
    ...raised,
    ...secretAdvice(config, survey),
  ];
}

function advice(
  setting: string,
  value: string | number | boolean,
  current: string | number | boolean,
  why: string,
): Advice {
  return { setting, value, current, why, isChange: value !== current };
}

/** Each ceiling that hashes of the file exceed. */
function ceilingAdvice({ defaults: { hashLimits } }: Config, groups: readonly HashGroup[]): Advice[] {
  return (Object.keys(hashLimits) as (keyof HashLimits)[]).flatMap((name) => {
    const over = groups.filter(({ ceilings: needed }) => needed[name] !== undefined);
    if (over.length === 0) return [];
    const users = over.reduce((sum, each) => sum + each.users, 0);
    const needed = Math.max(...over.map((each) => each.ceilings[name] ?? 0));
    const why = `${count(users)} of the file's hashes are above it and would be rejected; each takes that much at every sign-in`;
    return [advice(hashLimitKeys[name], needed, hashLimits[name], why)];
  });
}

/** Every thread can have the most expensive hash, and the settings check the ceilings against the budget. */
function memoryAdvice(
  config: Config,
  groups: readonly HashGroup[],
  threads: number,
  changed: readonly Advice[],
): Advice {
  const current = Math.round(config.hashingMemoryBudgetBytes / bytesPerMiB);
  const mostBytes = Math.max(policyBytes(config.hashPolicy), ...groups.map(({ memoryBytes }) => memoryBytes));
  const raised = (name: string): number => Number(changed.find((each) => each.setting === name)?.value ?? 0);
  const value = Math.max(
    current,
    Math.ceil((mostBytes * threads) / bytesPerMiB),
    Math.ceil(raised('argon2_max_memory_kb') / 1024),
    raised('scrypt_max_memory_mb'),
  );
  const each = (mostBytes / bytesPerMiB).toPrecision(2);
  const why = `${threads} at once with at most ${each} MiB each, and no less than the ceilings allow`;
  return advice('hashing_memory_budget_mb', value, current, why);
}

function secretAdvice({ allowPlainTextImport }: Config, survey: Survey): Advice[] {
  const secret = (setting: string, why: string): Advice[] => [
    { setting, value: undefined, current: undefined, why, isChange: true },
  ];
  return [
    ...(survey.lacksSignerKey
      ? secret(
          'provider_password_hashing_signer_key',
          "without it the file's scrypt-variant hashes are rejected: it is next to the hash parameters of the old provider",
        )
      : []),
    ...(survey.lacksPepper
      ? secret('bcrypt_pepper', "without it the file's peppered hashes are rejected: the old system's secret")
      : []),
    ...(survey.plainTextUsers > 0 && !allowPlainTextImport
      ? [
          advice(
            'allow_plain_text_import',
            true,
            false,
            `${count(survey.plainTextUsers)} users come with their password itself, which is hashed on the way in`,
          ),
        ]
      : []),
  ];
}
