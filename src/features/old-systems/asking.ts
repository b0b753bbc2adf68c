/** Asks one old system: bounded in number and time, and paused while it is down. */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../domain/errors.ts';
import type { LegacySource, Tenant } from '../../domain/model.ts';
import type { WireAnswer } from '../../operations/ports/outgoing.ts';
import type { LegacyAccess, LegacyOutcome } from './model.ts';
import { Breaker } from './breaker.ts';
import type { Dialect, LegacyVerdict, Open, Question } from './dialect.ts';
import { NoAnswer } from './dialect.ts';
import { Crowded, Pace, type Turn } from './pace.ts';
import { RecentAnswers } from './recent-answers.ts';

/** The state of a source in this process. */
export interface SourceState {
  readonly pace: Pace;
  readonly breaker: Breaker;
  readonly recent: RecentAnswers;
}

/** Sources of all tenants; an evicted one begins again. */
const maxSources = 1000;

export class SourceStates {
  readonly #onWaiting: LegacyAccess['onWaiting'];
  readonly #states = new LRUCache<string, SourceState>({ max: maxSources });

  constructor({ onWaiting }: Pick<LegacyAccess, 'onWaiting'>) {
    this.#onWaiting = onWaiting;
  }

  /** Apps share the state of a system, except for a source in an app's own configuration: its faults are the app's own. */
  of({ name, speaks, url, reach }: LegacySource, { appNo }: Pick<Tenant, 'appNo'>): SourceState {
    const key = JSON.stringify([name, speaks, url, reach === 'any' ? undefined : appNo]);
    const state = this.#states.get(key) ?? {
      pace: new Pace((change) => this.#onWaiting?.(name, change)),
      breaker: new Breaker(),
      recent: new RecentAnswers(),
    };
    this.#states.set(key, state);
    return state;
  }
}

/** 503: must never be treated as a wrong password. */
export function unavailable(retryAfterMs: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new Refusal('LEGACY_UNAVAILABLE', undefined, { retryAfterSeconds });
}

interface Entering {
  readonly now: () => number;
  readonly onRefused: (outcome: LegacyOutcome) => void;
  /** Aborted when no request waits for it any more. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits for a turn, at the pace of the source. While the source is paused no request waits: it is tried again after the pause.
 * @throws Refusal LEGACY_UNAVAILABLE when no turn comes in time, or the source is paused
 */
export async function turnOf(
  source: LegacySource,
  { pace, breaker }: SourceState,
  { now, onRefused, signal }: Entering,
): Promise<Turn> {
  const refuse = (outcome: LegacyOutcome, waitMs: number): Refusal => {
    onRefused(outcome);
    return unavailable(waitMs);
  };
  const waitMs = breaker.waitMs(now());
  if (waitMs > 0) throw refuse('open', waitMs);
  const turn = await pace.enter(source, signal).catch((error: unknown) => {
    throw error instanceof Crowded ? refuse('busy', error.retryAfterMs) : error;
  });
  const openMs = breaker.waitMs(now());
  if (openMs === 0) return turn;
  turn.left();
  throw refuse('open', openMs);
}

export interface Asking {
  readonly access: LegacyAccess;
  readonly dialect: Dialect;
  readonly source: LegacySource;
  readonly state: SourceState;
  readonly now: () => number;
}

export interface Asked {
  readonly verdict: LegacyVerdict;
  /** From the question to its answer. */
  readonly ms: number;
}

/**
 * Asks, within the deadline of the source. The caller counts the answer.
 * @param signal aborted when no request waits for the answer any more: a question that has no turn by then is not sent
 * @throws Refusal LEGACY_UNAVAILABLE for anything but a yes or a no
 */
export async function ask(asking: Asking, question: Question, signal?: AbortSignal): Promise<Asked> {
  const { access, source, state, now } = asking;
  const onRefused = (outcome: LegacyOutcome) => access.onAsked?.(source.name, outcome, 0);
  const turn = await turnOf(source, state, { now, onRefused, signal });
  state.breaker.begin();
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  try {
    const verdict = await answerOf(asking, { ...question, now: now() });
    turn.answered();
    state.breaker.succeeded();
    return { verdict, ms: elapsed() };
  } catch (error) {
    const retryAfterMs = error instanceof NoAnswer ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    const isLoad = isOfLoad(error) && turn.late();
    if (!isOfLoad(error)) turn.left();
    if (isLoad && retryAfterMs === 0) state.breaker.ended();
    else state.breaker.failed(now(), retryAfterMs);
    state.recent.add({ at: now(), ms: elapsed(), hasFailed: true });
    access.onAsked?.(source.name, 'failed', elapsed() / 1000);
    access.onTrouble?.(source.name, 'an old system gave no answer', reasonOf(error));
    throw unavailable(Math.max(state.breaker.waitMs(now()), retryAfterMs));
  }
}

/** The behaviour of an overloaded system; also of one that is down. */
function isOfLoad(error: unknown): boolean {
  if (error instanceof NoAnswer) return error.isOverload;
  return error instanceof Error && (error.name === 'TimeoutError' || codeOf(error) === 'TIMEOUT');
}

async function answerOf({ access, dialect, source }: Asking, question: Question): Promise<LegacyVerdict> {
  const { url, ca, reach, timeoutMs } = source;
  const signal = AbortSignal.timeout(timeoutMs);
  const send = ({ method = 'POST', ...rest }: Parameters<Parameters<Dialect>[0]>[0]): Promise<WireAnswer> =>
    access.exchange({ method, ...rest, ca, reach, signal });
  const open: Open = (startsTls, work) => access.inDirectory({ url, startsTls, ca, reach, signal }, work);
  return dialect(send, source, question, open);
}

/** A code of the system, or our own words: an error of another system may quote the request. */
function reasonOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.message;
  return codeOf(error) ?? (isOfLoad(error) ? 'no answer in time' : 'no answer');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
