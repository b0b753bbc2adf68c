/** Restricted users and the reasons. */

/** Reason for refusing a sign-in with a right password. */
export type Restriction = 'DISABLED' | 'SECOND_FACTOR' | 'REQUIRED_ACTION';

/** As stored for a user. */
export interface KeptRestrictions {
  /** True without an end; else the end, ms since the epoch. */
  readonly isDisabled?: true | number;
  /** The source requires a step before the sign-in that this core cannot require. */
  readonly isHeld?: true;
  /** As the last import stated them; absent if none did. */
  readonly stated?: StatedRestrictions;
  /** Set or lifted by a request; imports do not change it. */
  readonly here?: { readonly isDisabled?: true; readonly isHeld?: true };
}

/**
 * Statement of an import, compared as text with that of the last one, so lists are sorted, without repetitions and not empty. `isHeld`
 * is present if one of the lists is.
 */
export interface StatedRestrictions {
  /** A number is the end, ms since the epoch. One value, so that a change of either changes the field. */
  readonly isDisabled?: boolean | number;
  readonly isHeld?: boolean;
  readonly secondFactors?: readonly string[];
  readonly requiredActions?: readonly string[];
}

export interface RestrictedUser {
  /** The user's id as callers know it. */
  readonly userId: string;
  readonly kept: KeptRestrictions;
}

export interface RestrictionChange {
  readonly appNo: number;
  /** Any id of the user. */
  readonly userId: string;
  /** A number is the end, ms since the epoch. */
  readonly isDisabled?: boolean | number;
  readonly isHeld?: boolean;
}

/** Selects restricted users. */
export interface WhichRestricted {
  /** Users whose record states this action and who have no other restriction. */
  readonly requiredAction?: string;
  /** Id of an import that created or changed the user. */
  readonly job?: string;
}

export interface RestrictionStore {
  /** By any id of the user; without restrictions `kept` is empty. */
  find(appNo: number, userId: string): Promise<RestrictedUser | undefined>;
  /** Resolves after the commit; undefined if no user has this id. */
  change(change: RestrictionChange): Promise<RestrictedUser | undefined>;
  /**
   * Restricted users of the app by core id.
   * @param after from the previous page; undefined for the first
   */
  list(
    appNo: number,
    after: string | undefined,
    limit: number,
    which?: WhichRestricted,
  ): Promise<{ readonly users: readonly RestrictedUser[]; readonly next: string | undefined }>;
}
