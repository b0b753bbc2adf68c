import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { PutRestrictionsInput, RestrictionsQuery } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { RestrictedUser } from '../ports/ports.ts';

export interface RestrictionOperations {
  /** Of one user; without an id all users of the app who may not sign in, a page at a time. */
  get(
    tenant: Tenant,
    query: RestrictionsQuery,
  ): Promise<({ status: 'OK' } & RestrictionsView) | RestrictionsPage | UnknownUser>;
  /** Sets or lifts. An import does not undo it. */
  put(
    tenant: Tenant,
    input: PutRestrictionsInput,
  ): Promise<({ status: 'OK' } & RestrictionsView) | UnknownUser>;
}

interface RestrictionsView {
  readonly userId: string;
  readonly isDisabled: boolean;
  readonly isHeld: boolean;
  /** What the last import stated of them. */
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
}: OperationsContext): RestrictionOperations {
  return {
    async get({ appNo }, { userId, limit = defaultPageSize, paginationToken }) {
      if (userId !== undefined) return answer(await restrictions.find(appNo, userId));
      const { users, next } = await restrictions.list(appNo, paginationToken, limit);
      const more = next === undefined ? {} : { nextPaginationToken: next };
      return { status: 'OK', users: users.map(viewOf), ...more };
    },

    async put({ appNo }, { userId, isDisabled, isHeld }) {
      if (isDisabled === undefined && isHeld === undefined) throw nothingToChange();
      const change = {
        ...(isDisabled !== undefined && { isDisabled }),
        ...(isHeld !== undefined && { isHeld }),
      };
      return answer(await restrictions.change({ appNo, userId, ...change }));
    },
  };
}

function answer(found: RestrictedUser | undefined): ({ status: 'OK' } & RestrictionsView) | UnknownUser {
  return found ? { status: 'OK', ...viewOf(found) } : { status: 'UNKNOWN_USER_ID_ERROR' };
}

function viewOf({ userId, kept }: RestrictedUser): RestrictionsView {
  const { secondFactors = [], requiredActions = [] } = kept.stated ?? {};
  const flags = { isDisabled: kept.isDisabled === true, isHeld: kept.isHeld === true };
  return { userId, ...flags, secondFactors, requiredActions };
}

function nothingToChange(): Refusal {
  return new Refusal(
    'INVALID_FIELD',
    "Field name 'isDisabled' is invalid in JSON input: give isDisabled, isHeld or both",
  );
}
