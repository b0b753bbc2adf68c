/** Why a user cannot sign in, in words, from what is stored. */
import type { LoginMethod, User } from '../../domain/model.ts';
import type { Reason } from './model.ts';

/** Of a password login method. */
export interface PasswordFacts {
  readonly kind: string | undefined;
  /** The old system that knows the password, in place of a hash. */
  readonly oldSystem: string | undefined;
  readonly hasHash: boolean;
  readonly provenAt: number | null;
  readonly refusedAt: number | null;
  readonly refusals: number;
  readonly isImported: boolean;
  readonly passwordChangedAt: number | null;
}

export interface Restrictions {
  readonly isDisabled: boolean;
  readonly disabledUntil?: number;
  readonly isHeld: boolean;
  readonly secondFactors: readonly string[];
  readonly requiredActions: readonly string[];
}

const manyRefusals = 3;

export function reasons(
  user: User,
  { isDisabled, disabledUntil, isHeld, secondFactors, requiredActions }: Restrictions,
  passwords: readonly PasswordFacts[],
): Reason[] {
  const found: Reason[] = [];
  if (isDisabled) {
    const until =
      disabledUntil === undefined ? '' : ` until ${new Date(disabledUntil).toISOString().slice(0, 16)} UTC`;
    found.push(stops(`The user is disabled${until}.`, 'Lift the restriction.'));
  }
  if (isHeld) found.push(held(secondFactors, requiredActions));
  for (const facts of passwords) found.push(...ofPassword(facts));
  found.push(...ofMethods(user));
  const order = { stops: 0, may: 1, fine: 2 };
  return found.toSorted((a, b) => order[a.weight] - order[b.weight]);
}

function held(secondFactors: readonly string[], requiredActions: readonly string[]): Reason {
  if (requiredActions.length > 0)
    return stops(
      `The old system requires a step before the sign-in that this core cannot ask for: ${requiredActions.join(', ')}.`,
      'Let the user do it, or lift the restriction if it is not needed.',
    );
  const factors = secondFactors.length > 0 ? ` (${secondFactors.join(', ')})` : '';
  return stops(
    `The user has a second factor in the old system${factors}, and the import said that such users are refused until it is asked for.`,
    'Ask for the factor in the app, or lift the restriction: the password alone signs the user in then.',
  );
}

function ofPassword(facts: PasswordFacts): Reason[] {
  const { kind, oldSystem, hasHash, provenAt, refusedAt, refusals, isImported, passwordChangedAt } = facts;
  if (oldSystem !== undefined)
    return [
      may(
        `The password is known to the old system '${oldSystem}' alone: it is asked at the sign-in, and has to be reachable.`,
        'If it is gone, send a link to reset the password.',
      ),
    ];
  if (!hasHash) return [];
  if (refusals >= manyRefusals && provenAt === null && isImported)
    return [
      may(
        `${refusals} passwords were refused${when(refusedAt)}, and none was right since the import${kindOf(kind)}.`,
        'If others of the same import fail too, the hashes need a pepper, a salt or a transform: try the hash doctor. Else send a link to reset the password.',
      ),
    ];
  if (refusals > 0 && passwordChangedAt !== null)
    return [
      may(
        `${plural(refusals, 'password was', 'passwords were')} refused${when(refusedAt)}, after the password was changed here${when(passwordChangedAt)}.`,
        'The user may be typing the former password: send a link to reset it.',
      ),
    ];
  if (refusals > 0)
    return [
      may(
        `${plural(refusals, 'password was', 'passwords were')} refused${when(refusedAt)}${provenAt === null ? '' : ` after the right one${when(provenAt)}`}.`,
        'Send a link to reset the password.',
      ),
    ];
  if (provenAt !== null)
    return [{ weight: 'fine', text: `The password was right${when(provenAt)}.`, cure: undefined }];
  return [
    { weight: 'fine', text: `There is a password${kindOf(kind)}, which was not tried yet.`, cure: undefined },
  ];
}

function ofMethods({ loginMethods }: User): Reason[] {
  const hasPassword = loginMethods.some(({ recipeId }) => recipeId === 'emailpassword');
  const others = loginMethods.filter(({ recipeId }) => recipeId !== 'emailpassword').map(nameOf);
  const found: Reason[] = [];
  if (!hasPassword)
    found.push(
      may(
        `The user has no password: the way in is ${[...new Set(others)].join(' or ')}.`,
        'Say which button to press.',
      ),
    );
  else if (others.length > 0)
    found.push({
      weight: 'fine',
      text: `The user can also sign in by ${[...new Set(others)].join(' or ')}.`,
      cure: undefined,
    });
  if (loginMethods.some(({ verified, email }) => email !== undefined && !verified))
    found.push(
      may('An email is not verified: an app that requires that stops here.', 'Send a link to verify it.'),
    );
  return found;
}

function nameOf({ recipeId, thirdParty }: LoginMethod): string {
  return recipeId === 'thirdparty' ? (thirdParty?.id ?? 'a provider') : 'a code or a link by email or phone';
}

const stops = (text: string, cure: string): Reason => ({ weight: 'stops', text, cure });
const may = (text: string, cure: string): Reason => ({ weight: 'may', text, cure });

function when(at: number | null): string {
  return at === null ? '' : ` on ${new Date(at).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
}

function kindOf(kind: string | undefined): string {
  return kind === undefined ? '' : ` (${kind})`;
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
