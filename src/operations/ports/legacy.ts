/** What is needed to ask old systems about passwords and sessions, and to keep what they say. Types only. */

import type { Tenant } from '../../domain/model.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** PEM of whoever signed the certificate; undefined for those that the system trusts. */
  readonly ca: string | undefined;
  /** Aborted at the deadline. */
  readonly signal: AbortSignal;
  /** An answer with more is none. */
  readonly maxBytes?: number;
}

export interface WireAnswer {
  readonly status: number;
  /** Of the header `retry-after`, where it is a number of seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** UTF-8, bounded. */
  readonly text: string;
}

/**
 * Sends a request, and follows no redirect.
 * @throws Error when there is no whole answer; its message names no secret
 */
export type Exchange = (request: WireRequest) => Promise<WireAnswer>;

/** What became of a question: `busy` and `open` were not sent. */
export type LegacyOutcome = 'right' | 'wrong' | 'failed' | 'busy' | 'open' | 'remembered';

/** What the operations are given to ask old systems with. */
export interface LegacyAccess {
  readonly exchange: Exchange;
  /** Imports one record as an import would. @returns why it was rejected, undefined where it was not */
  readonly importRecord: (tenant: Tenant, record: object) => Promise<string | undefined>;
  readonly onAsked?: (source: string, outcome: LegacyOutcome, seconds: number) => void;
  /** Called when no answer could be had, or one could not be kept. */
  readonly onTrouble?: (source: string, what: string, reason: string) => void;
}
