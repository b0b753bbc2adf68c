/** Whether and how the users of an import can sign in. */

/** How a user who may sign in does it: the first of these that the record has. */
export const signInWays = ['password', 'code', 'provider', 'reset'] as const;
/**
 * `password`: with the old password. `code`: with a one-time code or a link, by email or phone. `provider`: at another provider.
 * `reset`: after a link to set a password, because the record has none.
 */
export type SignInWay = (typeof signInWays)[number];

export const restrictedStates = ['disabled', 'secondFactor', 'requiredAction'] as const;
/** Why a user cannot sign in today, by what the record states. */
export type RestrictedState = (typeof restrictedStates)[number];

export type SignInState = SignInWay | RestrictedState;

/**
 * Records by that, of the records that were not rejected: each counts once. Of the rejected ones `removedHere`: their users came
 * by an import and were removed here.
 */
export type ByState = Readonly<Partial<Record<SignInState | 'removedHere', number>>>;

export type CanSignInBy = Readonly<Partial<Record<SignInWay, number>>>;

/** As jobs are shown. */
export type ShownStates = Readonly<Partial<Record<'canSignIn' | RestrictedState, number>>>;

/** @returns what can be shown of the counts of a job or a file */
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
