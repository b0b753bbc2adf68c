/** What each dialect of an old system implements. */
import type { LegacySource } from '../../domain/model.ts';
import type { DirectorySession, WireAnswer } from '../../operations/ports/outgoing.ts';

export interface Question {
  /** As the person typed it, normalised. */
  readonly email: string;
  readonly password: string;
  readonly tenantId: string;
  /** ms since the epoch */
  readonly now: number;
  /** Where the person is, where the backend says it. */
  readonly address: string | undefined;
}

/** What an old system says of a person whose password was right; absent is what it does not say. */
export interface LegacyPerson {
  readonly id?: string;
  readonly email?: string;
  readonly isVerified?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly roles?: readonly string[];
  /** What the old system asks for in addition to the password, in the words of records. */
  readonly secondFactors?: readonly string[];
  readonly requiredActions?: readonly string[];
}

export type LegacyVerdict =
  { readonly isRight: false } | { readonly isRight: true; readonly person: LegacyPerson };

export const wrong: LegacyVerdict = { isRight: false };

export function right(person: LegacyPerson = {}): LegacyVerdict {
  return { isRight: true, person };
}

/** The password was right, and a code is asked for that the core cannot give. */
export const rightButSecondFactor: LegacyVerdict = right({ secondFactors: ['other'] });

/** A request of a dialect: everything but what is the same for each of a source. */
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

/** @throws NoAnswer for whatever is neither a yes nor a no */
export type Dialect = (
  send: Send,
  source: LegacySource,
  question: Question,
  open: Open,
) => Promise<LegacyVerdict>;

/** The old system did not say whether the password is right. The message is for the log: no secret, nothing it sent. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly retryAfterSeconds: number | undefined;
  /** Whether it may have been asked too much. */
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
