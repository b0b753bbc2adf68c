/** Known passwords that are verified before an import begins: a wrong signer key is reported before a row is written. */

import { Refusal } from '../../domain/errors.ts';
import type { TenantSettings } from '../../domain/model.ts';
import { conclude } from '../../hashes/doctor/conclude.ts';
import { canaryBudgetMs, parameters } from '../../hashes/doctor/examination.ts';
import type { Examination, ExamineInput } from '../../hashes/doctor/examination.ts';
import { workOf } from '../../hashes/assess.ts';
import { parseHash } from '../../hashes/recognise.ts';
import { hashKindNamed } from '../../hashes/registry.ts';

/** A user of the old system whose password is known. */
export interface Canary {
  readonly email?: string | undefined;
  readonly password: string;
  /** The hash as the upload will contain it. */
  readonly passwordHash: string;
  readonly hashingAlgorithm?: string | undefined;
}

/** Computes in threads. @throws Refusal OVERLOADED or SHUTTING_DOWN */
export type Examine = (input: ExamineInput) => Promise<Examination>;

/** Settings that hashes are verified with. */
export type CanarySettings = Pick<TenantSettings, 'hashLimits' | 'signerKey' | 'pepper'>;

/** Limit for the estimated milliseconds of all canaries of a job: more than 250 hashes of bcrypt at cost 12. */
const workLimitMs = 60_000;
/** Verified at the same time: a sign-in waits for at most this number. */
const lanes = 2;

/**
 * Verifies every canary as the upload states it; for the first that fails, searches for the cause.
 * @throws Refusal CANARY_FAILED, which names the canary by its place and email, never by hash or password; INVALID_FIELD when
 *   verifying all would take too long; OVERLOADED, SHUTTING_DOWN
 */
export async function requireCanaries(
  examine: Examine,
  settings: CanarySettings,
  canaries: readonly Canary[],
): Promise<void> {
  requireBoundedWork(canaries, settings);
  const asTheyStand = canaries.map((canary) => inputOf(canary, settings, 0));
  const found = conclude(await examineAll(examine, asTheyStand));
  const failed = [...found.keys()].filter((place) => found[place]?.code !== 'RIGHT');
  const [place] = failed;
  const first = place === undefined ? undefined : found[place];
  if (place === undefined || first === undefined) return;
  const cause = await causeOf(examine, first, () =>
    witnesses(found, failed)
      .flatMap((each) => canaries[each] ?? [])
      .map((each) => inputOf(each, settings, canaryBudgetMs)),
  );
  throw new Refusal(
    'CANARY_FAILED',
    messageOf(cause, { place, email: canaries[place]?.email, failed: failed.length, all: canaries.length }),
  );
}

function inputOf(
  { passwordHash, password, hashingAlgorithm }: Canary,
  { hashLimits: limits, signerKey, pepper }: CanarySettings,
  budgetMs: number,
): ExamineInput {
  return { hash: passwordHash, hashingAlgorithm, password, limits, signerKey, pepper, budgetMs };
}

function requireBoundedWork(canaries: readonly Canary[], { hashLimits }: CanarySettings): void {
  let sumMs = 0;
  for (const { passwordHash, hashingAlgorithm } of canaries) {
    const given = hashingAlgorithm === undefined ? undefined : hashKindNamed(hashingAlgorithm);
    const result = parseHash(passwordHash, given, hashLimits);
    if (result.ok) sumMs += workOf(result.parsed);
  }
  if (sumMs <= workLimitMs) return;
  throw new Refusal(
    'INVALID_FIELD',
    `Field name 'canaries' is invalid in JSON input: verifying them would take about ${Math.ceil(sumMs / 1000)} s of a core, and at most ${workLimitMs / 1000} are allowed: send fewer of the dear ones`,
  );
}

/** The first canary that failed, and another of the scrypt variant: two distinguish a wrong signer key from a wrong password. */
function witnesses(found: readonly Examination[], failed: readonly number[]): readonly number[] {
  const [first = 0, ...others] = failed;
  if (found[first]?.kind !== 'provider_scrypt') return [first];
  return [first, ...others.filter((place) => found[place]?.kind === 'provider_scrypt').slice(0, 1)];
}

async function causeOf(
  examine: Examine,
  first: Examination,
  inputs: () => readonly ExamineInput[],
): Promise<Examination> {
  if (first.code === 'SIGNER_KEY_WRONG' || first.code === 'SIGNER_KEY_MISSING') return first;
  const [cause = first] = conclude(await examineAll(examine, inputs()));
  return cause;
}

/** Results in the order of `inputs`. The first error stops the rest. */
async function examineAll(examine: Examine, inputs: readonly ExamineInput[]): Promise<Examination[]> {
  const found: Examination[] = [];
  const waiting = [...inputs.entries()];
  const lane = async (): Promise<void> => {
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        found[next[0]] = await examine(next[1]);
    } catch (error) {
      waiting.length = 0;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return found;
}

interface Failure {
  readonly place: number;
  readonly email: string | undefined;
  readonly failed: number;
  readonly all: number;
}

function messageOf(
  { message, advice, description, parameter = parameters.hash }: Examination,
  { place, email, failed, all }: Failure,
): string {
  const who = `canaries.${place}${email === undefined ? '' : ` (${email})`}`;
  const what = description === undefined ? '' : ` It is ${description}.`;
  const cure = advice[0] === undefined ? '' : ` ${advice[0]}`;
  return `Nothing was imported, because ${failed} of ${all} canaries failed, first ${who}: ${message}${what}${cure} Look at: ${parameter}`;
}
