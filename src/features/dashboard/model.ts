/** What the dashboard's own users need of the store: people who operate an app, and are no users of it. */

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

/** By the one or the other. */
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
  /** All of the user's sessions end. */
  change(
    ref: DashboardUserRef,
    change: DashboardUserChange,
  ): Promise<DashboardUser | 'unknown-user' | 'email-taken'>;
  /** With the user's sessions. @returns whether there was one */
  remove(ref: DashboardUserRef): Promise<boolean>;
  /** The oldest first. */
  list(appNo: number): Promise<DashboardUser[]>;
}

/** What there is to hold a password against: see FoundCredential, whose neighbour this one is likewise. */
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
  /** @returns the email of whose session it is; undefined for one that is not, or has expired */
  find(appNo: number, handle: string, now: number): Promise<string | undefined>;
  end(appNo: number, handles: readonly string[]): Promise<void>;
  /** Those that have not expired, the oldest first. */
  list(appNo: number, userId: string, now: number): Promise<DashboardSession[]>;
}
