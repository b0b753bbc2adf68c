/** What the operations need to know about restricted users and the reasons. */

/** Why the sign-in of a user who proved their identity is refused. */
export type Restriction = 'DISABLED' | 'SECOND_FACTOR' | 'REQUIRED_ACTION';

/** As they are kept of a user. */
export interface KeptRestrictions {
  /** True for good; else until when, ms since the epoch: from then on the user is not disabled any more. */
  readonly isDisabled?: true | number;
  /** The sign-in waits for what the source asks for and cannot be asked for here. */
  readonly isHeld?: true;
  /** What the last import said; none did where it is absent. */
  readonly stated?: StatedRestrictions;
  /** What a request set or lifted: an import leaves it as it is. */
  readonly here?: { readonly isDisabled?: true; readonly isHeld?: true };
}

/**
 * What an import compares with what the last one said: equal texts are equal statements, so lists are sorted, without
 * repetitions and never empty. `isHeld` is there where one of the lists is.
 */
export interface StatedRestrictions {
  /** A number: until when, ms since the epoch. In one value, so that a change of either is a change of the field. */
  readonly isDisabled?: boolean | number;
  readonly isHeld?: boolean;
  readonly secondFactors?: readonly string[];
  readonly requiredActions?: readonly string[];
}

export interface RestrictedUser {
  /** As callers see the user. */
  readonly userId: string;
  readonly kept: KeptRestrictions;
}

export interface RestrictionChange {
  readonly appNo: number;
  /** Any id that the caller may know the user by. */
  readonly userId: string;
  /** A number: until when, ms since the epoch. */
  readonly isDisabled?: boolean | number;
  readonly isHeld?: boolean;
}

/** Of users who may not sign in: only some. */
export interface WhichRestricted {
  /** Whose record states this action, and whom nothing else restricts. */
  readonly requiredAction?: string;
  /** Id of an import that created or changed them. */
  readonly job?: string;
}

export interface RestrictionStore {
  /** By any id the caller may know the user by; without restrictions `kept` is empty. */
  find(appNo: number, userId: string): Promise<RestrictedUser | undefined>;
  /** Resolves after the commit; undefined when no user has this id. */
  change(change: RestrictionChange): Promise<RestrictedUser | undefined>;
  /**
   * Users of the app who may not sign in, in the order of their core ids.
   * @param after as the page before says; undefined for the first
   */
  list(
    appNo: number,
    after: string | undefined,
    limit: number,
    which?: WhichRestricted,
  ): Promise<{ readonly users: readonly RestrictedUser[]; readonly next: string | undefined }>;
}
