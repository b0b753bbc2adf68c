/** Requests to other systems. Types only. */

import type { Reach } from '../../domain/access/reach.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** PEM of the certificate's authority; undefined for the system's authorities. */
  readonly ca: string | undefined;
  /** Allowed addresses. */
  readonly reach: Reach;
  /** Aborted at the deadline. */
  readonly signal: AbortSignal;
  /** Bytes; a longer answer counts as none. */
  readonly maxBytes?: number;
}

export interface WireAnswer {
  readonly status: number;
  /** From `retry-after`, if it is a number of seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** UTF-8, bounded. */
  readonly text: string;
}

/**
 * Sends a request without following redirects.
 * @throws Error without a complete answer; its message contains no secret
 */
export type Exchange = (request: WireRequest) => Promise<WireAnswer>;

export interface DirectoryRequest {
  /** ldap: or ldaps: */
  readonly url: string;
  /** Starts TLS on a connection of ldap:. */
  readonly startsTls: boolean;
  readonly ca: string | undefined;
  /** Allowed addresses. */
  readonly reach: Reach;
  /** Aborted at the deadline. */
  readonly signal: AbortSignal;
}

export interface DirectorySearch {
  readonly baseDn: string;
  /** RFC 4515 */
  readonly filter: string;
  readonly attributes: readonly string[];
}

export interface DirectoryEntry {
  readonly dn: string;
  /** Values by the attribute's name in lower case; values that are not text are left out. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

/** A connection to a directory; requests are not repeated. Result codes are those of RFC 4511, 0 for success. */
export interface DirectorySession {
  readonly bind: (dn: string, password: string) => Promise<number>;
  /** Does not follow references to other servers. */
  readonly search: (
    search: DirectorySearch,
  ) => Promise<{ readonly code: number; readonly entries: readonly DirectoryEntry[] }>;
}

/**
 * Opens a connection for the work, and closes it.
 * @throws Error without a complete answer; its message contains no secret
 */
export type InDirectory = <Result>(
  request: DirectoryRequest,
  work: (session: DirectorySession) => Promise<Result>,
) => Promise<Result>;
