/** Storage of the dashboard's own users: people who operate an app, not its users. */

export interface DashboardUser {
  readonly userId: string;
  readonly email: string;
  /** ms since the epoch */
  readonly timeJoined: number;
}

export interface NewDashboardUser extends DashboardUser {
  readonly appNo: number;
  readonly passwordHash: string;
}

/** By either of the two. */
export interface DashboardUserRef {
  readonly appNo: number;
  readonly by: 'userId' | 'email';
  readonly value: string;
}

export interface DashboardUserChange {
  readonly email?: string | undefined;
  readonly passwordHash?: string | undefined;
}

export interface DashboardUserStore {
  add(user: NewDashboardUser): Promise<'added' | 'email-taken' | 'app-gone'>;
  /** Ends all sessions of the user. */
  change(
    ref: DashboardUserRef,
    change: DashboardUserChange,
  ): Promise<DashboardUser | 'unknown-user' | 'email-taken'>;
  /** Also ends the user's sessions. @returns whether the user existed */
  remove(ref: DashboardUserRef): Promise<boolean>;
  /** The oldest first. */
  list(appNo: number): Promise<DashboardUser[]>;
}

/** The hash to verify a password against: see FoundCredential, which has a neighbour for the same reason. */
export interface DashboardCredential {
  readonly user: { readonly userId: string; readonly passwordHash: string } | undefined;
  readonly neighbour: string | undefined;
}

export interface NewDashboardSession {
  readonly appNo: number;
  readonly handle: string;
  readonly userId: string;
  /** As they were when the password was verified: if either has changed since then, no session begins. */
  readonly email: string;
  readonly passwordHash: string;
  /** ms since the epoch */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface DashboardSession {
  readonly handle: string;
  readonly userId: string;
  /** ms since the epoch */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A session is found by a handle, a UUID that reveals nothing of its id. */
export interface DashboardSessionStore {
  /** The same look-ups whether the email is known or not. */
  findCredential(appNo: number, email: string): Promise<DashboardCredential>;
  /** @returns false when the user was changed or removed since the credential was found */
  open(session: NewDashboardSession): Promise<boolean>;
  /** @returns the email of the session's user; undefined for an unknown or expired session */
  find(appNo: number, handle: string, now: number): Promise<string | undefined>;
  end(appNo: number, handles: readonly string[]): Promise<void>;
  /** Unexpired sessions, the oldest first. */
  list(appNo: number, userId: string, now: number): Promise<DashboardSession[]>;
}
