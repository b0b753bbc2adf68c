/** What two primary users must not share in one tenant, as it is called in answers. */
export type SharedInfo = 'email' | 'phone number' | 'third party login';

/** Ids of users are as callers know them. */
export type PrimaryOutcome =
  | { readonly outcome: 'primary'; readonly wasPrimary: boolean }
  | { readonly outcome: 'unknown-user' }
  | { readonly outcome: 'linked'; readonly primaryUserId: string }
  | InfoTaken;

export type LinkOutcome =
  | { readonly outcome: 'linked'; readonly wasLinked: boolean; readonly primaryUserId: string }
  | { readonly outcome: 'unknown-user' | 'not-primary' }
  | { readonly outcome: 'linked-to-another'; readonly primaryUserId: string }
  | InfoTaken;

interface InfoTaken {
  readonly outcome: 'info-taken';
  readonly primaryUserId: string;
  readonly info: SharedInfo;
}

export interface Unlinked {
  readonly wasLinked: boolean;
  /** It was the user's head: the user lives on with the others. */
  readonly wasRemoved: boolean;
}

/** Any ids of the core or external ones. */
export interface Linking {
  readonly appNo: number;
  readonly recipeUserId: string;
  readonly primaryUserId: string;
}

export interface LinkingStore {
  makePrimary(appNo: number, recipeUserId: string): Promise<PrimaryOutcome>;
  /** What `makePrimary` would say now. */
  mayBePrimary(appNo: number, recipeUserId: string): Promise<PrimaryOutcome>;
  link(linking: Linking): Promise<LinkOutcome>;
  /** What `link` would say now. */
  mayLink(linking: Linking): Promise<LinkOutcome>;
  /** @returns undefined when nobody has the id */
  unlink(appNo: number, recipeUserId: string): Promise<Unlinked | undefined>;
}
