/** The interface of each dialect of an old system. */
import type { LegacySource } from '../../domain/model.ts';
import type { DirectorySession, WireAnswer } from '../../operations/ports/outgoing.ts';

export interface Question {
  /** As the user typed it, normalised. */
  readonly email: string;
  readonly password: string;
  readonly tenantId: string;
  /** ms since the epoch */
  readonly now: number;
  /** The user's address, if the backend reports it. */
  readonly address: string | undefined;
}

/** An old system's data about a user whose password was right; absent fields are unknown. */
export interface LegacyPerson {
  readonly id?: string;
  readonly email?: string;
  readonly isVerified?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly roles?: readonly string[];
  /** The factors that the old system requires in addition to the password, in the words of records. */
  readonly secondFactors?: readonly string[];
  readonly requiredActions?: readonly string[];
}

export type LegacyVerdict =
  { readonly isRight: false } | { readonly isRight: true; readonly person: LegacyPerson };

export const wrong: LegacyVerdict = { isRight: false };

export function right(person: LegacyPerson = {}): LegacyVerdict {
  return { isRight: true, person };
}

/** The password was right, but a code is required that the core does not have. */
export const rightButSecondFactor: LegacyVerdict = right({ secondFactors: ['other'] });

/** A request of a dialect, without the parts that are the same for all requests to a source. */
export interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Send = (ask: Ask) => Promise<WireAnswer>;

/** Opens a connection to a source that is a directory, and closes it after the work. */
export type Open = <Result>(
  startsTls: boolean,
  work: (session: DirectorySession) => Promise<Result>,
) => Promise<Result>;

/** @throws NoAnswer for anything but a yes or a no */
export type Dialect = (
  send: Send,
  source: LegacySource,
  question: Question,
  open: Open,
) => Promise<LegacyVerdict>;

/**
 * The old system's answer was neither yes nor no. The message is for the log: it contains no secret, and nothing that the system
 * sent.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly retryAfterSeconds: number | undefined;
  /** Whether the system may be overloaded. */
  readonly isOverload: boolean;

  constructor(reason: string, retryAfterSeconds?: number, isOverload = false) {
    super(reason);
    this.retryAfterSeconds = retryAfterSeconds;
    this.isOverload = isOverload;
  }
}

/** For an answer that the dialect does not know. */
export function unexpected({ status, retryAfterSeconds }: WireAnswer): NoAnswer {
  const isOverload = status === 429 || status === 503;
  return new NoAnswer(
    `it answered ${status}, which is neither a yes nor a no`,
    retryAfterSeconds,
    isOverload,
  );
}
