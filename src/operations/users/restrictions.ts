import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { PutRestrictionsInput, RestrictionsQuery } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { KeptRestrictions, RestrictedUser } from '../ports/ports.ts';

export interface RestrictionOperations {
  /** Restrictions of one user; without an id a page of all restricted users of the app. */
  get(
    tenant: Tenant,
    query: RestrictionsQuery,
  ): Promise<({ status: 'OK' } & RestrictionsView) | RestrictionsPage | UnknownUser>;
  /** Sets or lifts restrictions. An import does not undo that. */
  put(
    tenant: Tenant,
    input: PutRestrictionsInput,
  ): Promise<({ status: 'OK' } & RestrictionsView) | UnknownUser>;
}

interface RestrictionsView {
  readonly userId: string;
  readonly isDisabled: boolean;
  /** End, ms since the epoch; absent without one. */
  readonly disabledUntil?: number;
  readonly isHeld: boolean;
  /** As the last import stated them. */
  readonly secondFactors: readonly string[];
  readonly requiredActions: readonly string[];
}

interface RestrictionsPage {
  readonly status: 'OK';
  readonly users: readonly RestrictionsView[];
  readonly nextPaginationToken?: string;
}

interface UnknownUser {
  readonly status: 'UNKNOWN_USER_ID_ERROR';
}

const defaultPageSize = 100;

export function restrictionOperations({
  stores: { restrictions },
  now,
}: OperationsContext): RestrictionOperations {
  const answer = (found: RestrictedUser | undefined): ({ status: 'OK' } & RestrictionsView) | UnknownUser =>
    found ? { status: 'OK', ...viewOf(found, now()) } : { status: 'UNKNOWN_USER_ID_ERROR' };
  return {
    async get({ appNo }, { userId, limit = defaultPageSize, paginationToken, requiredAction, job }) {
      if (userId !== undefined) return answer(await restrictions.find(appNo, userId));
      const { users, next } = await restrictions.list(appNo, paginationToken, limit, {
        ...(requiredAction !== undefined && { requiredAction }),
        ...(job !== undefined && { job }),
      });
      const at = now();
      const more = next === undefined ? {} : { nextPaginationToken: next };
      return { status: 'OK', users: users.map((user) => viewOf(user, at)), ...more };
    },

    async put({ appNo }, { userId, isHeld, ...asked }) {
      const isDisabled = disabledAsAsked(asked, now());
      if (isDisabled === undefined && isHeld === undefined) throw nothingToChange();
      const change = {
        ...(isDisabled !== undefined && { isDisabled }),
        ...(isHeld !== undefined && { isHeld }),
      };
      return answer(await restrictions.change({ appNo, userId, ...change }));
    },
  };
}

function viewOf({ userId, kept }: RestrictedUser, at: number): RestrictionsView {
  const { secondFactors = [], requiredActions = [] } = kept.stated ?? {};
  const disabled = { isDisabled: false, ...disabledAt(kept, at) };
  return { userId, ...disabled, isHeld: kept.isHeld === true, secondFactors, requiredActions };
}

/**
 * Restrictions as in answers and records; empty for users who are not, or no longer, disabled.
 * @param at ms since the epoch
 */
export function disabledAt(
  kept: KeptRestrictions | undefined,
  at: number,
): { readonly isDisabled?: true; readonly disabledUntil?: number } {
  const until = kept?.isDisabled;
  if (until === undefined || until === true) return until === true ? { isDisabled: true } : {};
  return until > at ? { isDisabled: true, disabledUntil: until } : {};
}

function disabledAsAsked(
  { isDisabled, disabledUntil }: Pick<PutRestrictionsInput, 'isDisabled' | 'disabledUntil'>,
  now: number,
): boolean | number | undefined {
  if (disabledUntil === undefined) return isDisabled;
  if (isDisabled === false) throw badTime('leave it out where isDisabled is false');
  if (disabledUntil <= now) throw badTime('must be a time to come; isDisabled: false lets the user in');
  return disabledUntil;
}

function badTime(why: string): Refusal {
  return new Refusal('INVALID_FIELD', `Field name 'disabledUntil' is invalid in JSON input: ${why}`);
}

function nothingToChange(): Refusal {
  return new Refusal(
    'INVALID_FIELD',
    "Field name 'isDisabled' is invalid in JSON input: give isDisabled, disabledUntil or isHeld",
  );
}
