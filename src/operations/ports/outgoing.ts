/** Requests that the core sends to other systems. Types only. */

import type { Reach } from '../../domain/access/reach.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** PEM of the authority that signed the certificate; undefined for those that the system trusts. */
  readonly ca: string | undefined;
  /** Which addresses it may be sent to. */
  readonly reach: Reach;
  /** Aborted at the deadline. */
  readonly signal: AbortSignal;
  /** A longer answer counts as no answer. */
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

export interface DirectoryRequest {
  /** ldap: or ldaps: */
  readonly url: string;
  /** Whether TLS begins on a connection of ldap:. */
  readonly startsTls: boolean;
  readonly ca: string | undefined;
  /** Which addresses may be connected to. */
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
  /** Values by the attribute's name in small letters; those that are no text are left out. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

/** A connection to a directory, over which nothing is sent again. Result codes are those of RFC 4511, 0 for success. */
export interface DirectorySession {
  readonly bind: (dn: string, password: string) => Promise<number>;
  /** Follows no reference to another server. */
  readonly search: (
    search: DirectorySearch,
  ) => Promise<{ readonly code: number; readonly entries: readonly DirectoryEntry[] }>;
}

/**
 * Passes a connection to the work, and closes it.
 * @throws Error when there is no whole answer; its message names no secret
 */
export type InDirectory = <Result>(
  request: DirectoryRequest,
  work: (session: DirectorySession) => Promise<Result>,
) => Promise<Result>;
