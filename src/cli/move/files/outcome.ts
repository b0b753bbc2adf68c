/** The outcome of a user who changed here, in the files for an old system. */
import type { BackFormat, LeftOut } from '../../../exports/back/format.ts';
import {
  type BackChange,
  type ChangedField,
  changedOf,
  idThere,
  personOf,
} from '../../../exports/back/person.ts';

/** Why a user has to set a new password there. */
export type ResetReason =
  /** The system cannot verify the hash of here. */
  | 'HASH_NOT_TAKEN'
  /** Its import sets no passwords of users that it has, and the password changed here. */
  | 'NOT_SET_THERE'
  /** Its import replaces the user, and the password is not here: it asked the old system. */
  | 'PASSWORD_NOT_HERE';

export interface BackOutcome {
  /** The id there; undefined for a removed user who never was there. */
  readonly id: string | undefined;
  readonly email: string | undefined;
  /** For later changes of a user who is new there. */
  readonly knownAs: string | undefined;
  readonly what:
    | { readonly kind: 'removed' }
    /** In a file that the system imports. */
    | { readonly kind: 'user'; readonly user: object; readonly group: string }
    /** There already, and its import would leave it as it is. */
    | { readonly kind: 'changed'; readonly user: object; readonly fields: readonly ChangedField[] }
    | { readonly kind: 'left out'; readonly reason: LeftOut };
  readonly reset: ResetReason | undefined;
}

/** @param idPrefix as the imports had it */
export function outcomeOf(change: BackChange, format: BackFormat, idPrefix: string): BackOutcome {
  const { record } = change;
  if (record === null) return outcomeOfGone(change, idPrefix);
  const person = personOf(change, record, idPrefix);
  const { id, email, isThere, password } = person;
  const isKept = isThere && !format.replaces;
  const written = format.write(isKept ? { ...person, hash: undefined } : person);
  if ('leftOut' in written) {
    const what = { kind: 'left out', reason: written.leftOut } as const;
    return { id, email, knownAs: undefined, what, reset: undefined };
  }
  const fields = changedOf(change, person);
  if (isKept) {
    const isNew = password === 'here' && fields.includes('password');
    const what = { kind: 'changed', user: written.user, fields } as const;
    return { id, email, knownAs: undefined, what, reset: isNew ? 'NOT_SET_THERE' : undefined };
  }
  const what = { kind: 'user', user: written.user, group: written.group ?? '' } as const;
  const knownAs = isThere ? undefined : (written.knownAs ?? id);
  return { id, email, knownAs, what, reset: resetOf(password, written.takesPassword) };
}

/** Removed, or linked to another user: an account that a file made is superfluous then, and another one is the person's own. */
function outcomeOfGone(change: BackChange, idPrefix: string): BackOutcome {
  const { was, oldId, isRemoval } = change;
  const email = was.findLast((each) => each.email !== null)?.email ?? undefined;
  const id = idThere(change, idPrefix);
  const isKept = !isRemoval && oldId === null && id !== undefined;
  const what = isKept ? ({ kind: 'left out', reason: 'LINKED' } as const) : ({ kind: 'removed' } as const);
  return { id, email, knownAs: undefined, what, reset: undefined };
}

function resetOf(password: 'none' | 'here' | 'elsewhere', takesPassword: boolean): ResetReason | undefined {
  if (password === 'none' || takesPassword) return undefined;
  return password === 'here' ? 'HASH_NOT_TAKEN' : 'PASSWORD_NOT_HERE';
}
