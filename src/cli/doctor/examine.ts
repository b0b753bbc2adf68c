/** Examines hashes in threads, as a core of this configuration would verify them. */

import { availableParallelism } from 'node:os';
import type { Config } from '../../config/load.ts';
import { conclude } from '../../hashes/doctor/conclude.ts';
import { commandBudgetMs } from '../../hashes/doctor/examination.ts';
import type { Examination, ExamineInput } from '../../hashes/doctor/examination.ts';
import { createPasswordPool } from '../../threads/password-pool.ts';
import { coreConfig } from '../input/core-config.ts';
import type { Surroundings } from '../surroundings.ts';
import type { InputOptions } from '../input/input.ts';
import type { SampleOptions } from '../output/mask.ts';

/** Estimated milliseconds of one core for the repairs of a whole file. */
const pairsBudgetMs = 120_000;

/** The part of the input that differs from hash to hash. */
export type Question = Pick<ExamineInput, 'hash' | 'hashingAlgorithm' | 'password'>;

export interface DoctorSettings {
  readonly config?: string;
  readonly firebaseSignerKey?: string;
  readonly pepper?: string;
}

/** The core's configuration; keys given to the command take precedence. */
export function doctorConfig(settings: DoctorSettings, surroundings: Surroundings): Config {
  const { CARRYOVER_FIREBASE_SIGNER_KEY, CARRYOVER_PEPPER } = surroundings.environment;
  const signerKey = settings.firebaseSignerKey ?? CARRYOVER_FIREBASE_SIGNER_KEY;
  const pepper = settings.pepper ?? CARRYOVER_PEPPER;
  return coreConfig(settings.config, { signerKey, pepper }, surroundings);
}

/**
 * Examines all hashes unchanged, then those that fail with the repairs that fit in the time, and draws conclusions from them
 * together. In the order of `questions`.
 */
export async function examineAll(config: Config, questions: readonly Question[]): Promise<Examination[]> {
  const threads = Math.max(1, availableParallelism());
  const pool = createPasswordPool({
    threads,
    memoryBudgetBytes: config.hashingMemoryBudgetBytes,
    queueLimit: questions.length,
    policy: config.hashPolicy,
  });
  const { hashLimits: limits, signerKey, pepper } = config.defaults;
  const examine = (each: readonly Question[], budgetMs: number): Promise<Examination[]> =>
    Promise.all(each.map((question) => pool.examine({ ...question, limits, signerKey, pepper, budgetMs })));
  try {
    const first = await examine(questions, 0);
    const open = [...first.keys()].filter((place) => first[place]?.code !== 'RIGHT');
    const budgetMs = Math.min(commandBudgetMs, Math.floor(pairsBudgetMs / Math.max(1, open.length)));
    const again = await examine(
      open.flatMap((place) => questions[place] ?? []),
      budgetMs,
    );
    const byPlace = new Map(open.map((place, at) => [place, again[at]]));
    return conclude(first.map((each, place) => byPlace.get(place) ?? each));
  } finally {
    await pool.close();
  }
}

/** As commander gives them, in addition to the providers' own flags. */
export interface DoctorOptions extends InputOptions, DoctorSettings, SampleOptions {
  readonly algorithm?: string;
  readonly password?: string;
  readonly passwordFile?: string;
  readonly passwordStdin?: boolean;
  readonly pairs?: string;
  readonly export?: string;
  readonly totp?: boolean;
  readonly code?: readonly string[];
  readonly json?: boolean;
}
