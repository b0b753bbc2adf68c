/** The content of the audit log: who did what, to how many, from where and when. Never a secret. */

/** Small facts about an act, such as the user's id: no secrets, no passwords, no hashes. */
export type Details = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface Act {
  readonly appId: string;
  readonly tenantId: string;
  /** The name of the key. */
  readonly who: string;
  /** Such as `user.remove`. */
  readonly what: string;
  /** Of the connection; undefined for the core's own acts. */
  readonly address: string | undefined;
  readonly details: Details;
}

/** The outcome of an act. */
export interface ActEnd {
  /** ms since the epoch */
  readonly endedAt: number;
  /** `OK`, or why not. */
  readonly outcome: string;
  /** The number of users, or other objects of the act; undefined if not counted. */
  readonly count: number | undefined;
  readonly details: Details;
}

export interface AuditEntry extends Act, Partial<Omit<ActEnd, 'details'>> {
  /** UUIDv7 of its beginning: newest last. */
  readonly id: string;
  /** ms since the epoch */
  readonly begunAt: number;
}

export interface AuditQuery {
  /** Only this app; undefined: all. */
  readonly appId: string | undefined;
  /** ms since the epoch */
  readonly since: number | undefined;
  readonly who: string | undefined;
  /** An act, or the beginning of several up to a dot: `import` includes `import.undo`. */
  readonly what: string | undefined;
  /** Older than this entry. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Storage of entries. */
export interface AuditStore {
  /** Resolves after the commit. */
  put(entry: AuditEntry): Promise<void>;
  end(id: string, end: ActEnd): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
}

/** An act of the core itself. */
export function ofCore(what: string, details: Details): Act {
  return { appId: 'public', tenantId: 'public', who: 'core', what, address: undefined, details };
}
