/** Asks one old system: bounded in number and time, left alone while it is away. */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../../domain/errors.ts';
import type { LegacySource } from '../../../domain/model.ts';
import type { LegacyAccess, LegacyOutcome, WireAnswer } from '../../ports/legacy.ts';
import { Breaker } from './breaker.ts';
import type { Dialect, LegacyVerdict, Open, Question } from './dialect.ts';
import { NoAnswer } from './dialect.ts';
import { RecentAnswers } from './recent-answers.ts';

/** What is known of a source in this process. */
export interface SourceState {
  inFlight: number;
  readonly breaker: Breaker;
  readonly recent: RecentAnswers;
}

/** Sources of all tenants; one that is forgotten begins anew. */
const maxSources = 1000;
const busyRetrySeconds = 1;

export class SourceStates {
  readonly #states = new LRUCache<string, SourceState>({ max: maxSources });

  of({ name, speaks, url }: LegacySource): SourceState {
    const key = JSON.stringify([name, speaks, url]);
    const state = this.#states.get(key) ?? {
      inFlight: 0,
      breaker: new Breaker(),
      recent: new RecentAnswers(),
    };
    this.#states.set(key, state);
    return state;
  }
}

/** 503: never to be taken for a wrong password. */
export function unavailable(retryAfterMs: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new Refusal('LEGACY_UNAVAILABLE', undefined, { retryAfterSeconds });
}

/**
 * Takes one of the places that the source has for questions, and gives it back.
 * @throws Refusal LEGACY_UNAVAILABLE at once when there is none, or the source is left alone
 */
export async function inPlace<Result>(
  source: LegacySource,
  state: SourceState,
  { now, onRefused }: { readonly now: number; readonly onRefused: (outcome: LegacyOutcome) => void },
  work: () => Promise<Result>,
): Promise<Result> {
  const waitMs = state.breaker.waitMs(now);
  if (waitMs > 0) {
    onRefused('open');
    throw unavailable(waitMs);
  }
  if (state.inFlight >= source.maxInFlight) {
    onRefused('busy');
    throw unavailable(busyRetrySeconds * 1000);
  }
  state.inFlight += 1;
  try {
    return await work();
  } finally {
    state.inFlight -= 1;
  }
}

export interface Asking {
  readonly access: LegacyAccess;
  readonly dialect: Dialect;
  readonly source: LegacySource;
  readonly state: SourceState;
  readonly now: () => number;
}

/**
 * Asks, within the deadline of the source.
 * @throws Refusal LEGACY_UNAVAILABLE for whatever is neither a yes nor a no
 */
export async function ask(asking: Asking, question: Question): Promise<LegacyVerdict> {
  const { access, source, state, now } = asking;
  const onRefused = (outcome: LegacyOutcome) => access.onAsked?.(source.name, outcome, 0);
  return inPlace(source, state, { now: now(), onRefused }, async () => {
    state.breaker.begin();
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    try {
      const verdict = await answerOf(asking, question);
      state.breaker.succeeded();
      if (!verdict.isRight) state.recent.add({ at: now(), ms: elapsed(), hasFailed: false });
      access.onAsked?.(source.name, verdict.isRight ? 'right' : 'wrong', elapsed() / 1000);
      return verdict;
    } catch (error) {
      const retryAfterMs = error instanceof NoAnswer ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      state.breaker.failed(now(), retryAfterMs);
      state.recent.add({ at: now(), ms: elapsed(), hasFailed: true });
      access.onAsked?.(source.name, 'failed', elapsed() / 1000);
      access.onTrouble?.(source.name, 'an old system gave no answer', reasonOf(error));
      throw unavailable(Math.max(state.breaker.waitMs(now()), retryAfterMs));
    }
  });
}

async function answerOf({ access, dialect, source }: Asking, question: Question): Promise<LegacyVerdict> {
  const signal = AbortSignal.timeout(source.timeoutMs);
  const send = ({ method = 'POST', ...rest }: Parameters<Parameters<Dialect>[0]>[0]): Promise<WireAnswer> =>
    access.exchange({ method, ...rest, ca: source.ca, signal });
  const open: Open = (startsTls, work) =>
    access.inDirectory({ url: source.url, startsTls, ca: source.ca, signal }, work);
  return dialect(send, source, question, open);
}

/** A code of the system, or our own words: an error of somebody else may quote what was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.message;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'no answer';
}
