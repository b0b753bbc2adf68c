/** How a user signs in: the first of these that the record has. */
export const signInWays = ['password', 'code', 'provider', 'reset'] as const;
/**
 * `password`: the old password. `code`: a one-time code or link, by email or phone. `provider`: another provider. `reset`: a link
 * to set a password, because the record has none.
 */
export type SignInWay = (typeof signInWays)[number];

export const restrictedStates = ['disabled', 'secondFactor', 'requiredAction'] as const;
export type RestrictedState = (typeof restrictedStates)[number];

export type SignInState = SignInWay | RestrictedState;

/**
 * Accepted records by state, each counted once. `removedHere` counts rejected ones: users that were imported and then removed
 * here.
 */
export type ByState = Readonly<Partial<Record<SignInState | 'removedHere', number>>>;

export type CanSignInBy = Readonly<Partial<Record<SignInWay, number>>>;

export type ShownStates = Readonly<Partial<Record<'canSignIn' | RestrictedState, number>>>;

/** @returns the part of a job's or file's counts that can be shown */
export function shownStates(byState: ByState): {
  readonly byState: ShownStates;
  readonly canSignInBy: CanSignInBy;
  readonly removedHere: number;
} {
  const ways = signInWays.filter((way) => byState[way] !== undefined);
  const restricted = restrictedStates.filter((state) => byState[state] !== undefined);
  const canSignIn = ways.reduce((sum, way) => sum + (byState[way] ?? 0), 0);
  return {
    byState: {
      ...(canSignIn > 0 && { canSignIn }),
      ...Object.fromEntries(restricted.map((state) => [state, byState[state] ?? 0])),
    },
    canSignInBy: Object.fromEntries(ways.map((way) => [way, byState[way] ?? 0])),
    removedHere: byState.removedHere ?? 0,
  };
}
