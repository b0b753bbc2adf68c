import { Refusal } from '../../domain/errors.ts';
import type { RecipeId, Tenant, User } from '../../domain/model.ts';
import type {
  AccountInfoQuery,
  CountUsersQuery,
  ListUsersQuery,
  RemoveUserInput,
  UpdateUserInput,
  UserIdQuery,
} from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import { spellPhone } from './phone.ts';
import type { AccountInfo, ChangeOutcome } from '../ports/ports.ts';
import { boundedSearch, searchTags, soughtBy } from './search.ts';
import { emailChangeRefused, type EmailChangeRefused } from '../sign-in/third-party.ts';

export interface UserOperations {
  get(tenant: Tenant, query: UserIdQuery): Promise<{ status: 'OK'; user: User } | UnknownUser>;
  listByAccountInfo(tenant: Tenant, query: AccountInfoQuery): Promise<{ status: 'OK'; users: User[] }>;
  /** A page of users, or the result of a search. @param signal aborts a search when the caller hangs up */
  list(
    tenant: Tenant,
    query: ListUsersQuery,
    signal?: AbortSignal,
  ): Promise<{ status: 'OK'; users: User[]; nextPaginationToken?: string }>;
  searchTags(): Promise<{ status: 'OK'; tags: readonly string[] }>;
  count(tenant: Tenant, query: CountUsersQuery): Promise<UserCount>;
  remove(tenant: Tenant, input: RemoveUserInput): Promise<{ status: 'OK' }>;
  /** @param signal aborted when the caller hangs up; nothing is done if the password is not computed yet */
  update(
    tenant: Tenant,
    input: UpdateUserInput,
    signal?: AbortSignal,
  ): Promise<{ status: 'OK' } | UnknownUser | { status: 'EMAIL_ALREADY_EXISTS_ERROR' } | EmailChangeRefused>;
}

interface UserCount {
  readonly status: 'OK';
  readonly count: number;
  /** Only if an approximate count was allowed. All counts are exact, because that takes no longer. */
  readonly approximate?: false;
  /** ms since the epoch */
  readonly asOf?: number;
}

interface UnknownUser {
  readonly status: 'UNKNOWN_USER_ID_ERROR';
}

const defaultPageSize = 100;
const maxPageSize = 500;

const changeReplies = {
  changed: { status: 'OK' },
  'unknown-user': { status: 'UNKNOWN_USER_ID_ERROR' },
  'email-taken': { status: 'EMAIL_ALREADY_EXISTS_ERROR' },
  'email-of-other-primary-user': emailChangeRefused,
} as const satisfies Record<ChangeOutcome, object>;

export function userOperations({ stores: { users }, hasher, now }: OperationsContext): UserOperations {
  const search = boundedSearch(users);
  return {
    async get({ appNo }, { userId }) {
      const user = await users.findUser(appNo, userId);
      return user ? { status: 'OK', user } : { status: 'UNKNOWN_USER_ID_ERROR' };
    },

    async listByAccountInfo(tenant, query) {
      const union = query.doUnionOfAccountInfo ?? false;
      return { status: 'OK', users: await users.findUsersByAccountInfo(tenant, accountInfo(query), union) };
    },

    async list(tenant, query, signal) {
      const sought = soughtBy(query);
      const { timeJoinedOrder: order = 'ASC' } = query;
      const recipes = recipesAmong(query.includeRecipeIds);
      if (!recipes) return { status: 'OK', users: [] };
      if (sought) return { status: 'OK', users: await search({ tenant, order, recipes, ...sought }, signal) };
      const { limit = defaultPageSize, paginationToken } = query;
      if (limit > maxPageSize) throw tooManyAtOnce();
      const from = paginationToken === undefined ? undefined : decodePaginationToken(paginationToken);
      const page = await users.listUsers({ tenant, limit, order, recipes, from });
      const next =
        page.nextFrom === undefined ? {} : { nextPaginationToken: encodePaginationToken(page.nextFrom) };
      return { status: 'OK', users: page.users, ...next };
    },

    searchTags: () => Promise.resolve({ status: 'OK', tags: searchTags }),

    async count(tenant, { includeRecipeIds, includeAllTenants = false, allowApproximate = false }) {
      const asOf = now();
      const recipes = recipesAmong(includeRecipeIds);
      const count = recipes ? await users.countUsers(tenant, recipes, includeAllTenants) : 0;
      return { status: 'OK', count, ...(allowApproximate && { approximate: false, asOf }) };
    },

    async remove({ appNo }, { userId, removeAllLinkedAccounts = true }) {
      await users.removeUser(appNo, userId, removeAllLinkedAccounts);
      return { status: 'OK' };
    },

    async update({ appNo, settings }, { recipeUserId, email, password }, signal) {
      if (email === undefined && password === undefined) throw nothingToChange();
      if (password !== undefined) hasher.requireRoom({ party: appNo });
      const method = await users.findLoginMethod(appNo, recipeUserId);
      if (method?.recipeId !== 'emailpassword') return changeReplies['unknown-user'];
      const passwordHash =
        password === undefined ? undefined : await hasher.hash(password, { signal, party: appNo });
      const outcome = await users.changeUser({
        appNo,
        userId: method.userId,
        ...(email !== undefined && { email }),
        ...(passwordHash !== undefined && { passwordHash }),
        endsSessions: settings.endSessionsOnPasswordChange,
      });
      return changeReplies[outcome];
    },
  };
}

/** @returns undefined if only unknown recipes are named; empty, which means all, if none is named */
function recipesAmong(named: CountUsersQuery['includeRecipeIds'] = []): RecipeId[] | undefined {
  const served = named.filter((id) => id !== 'webauthn');
  return named.length > 0 && served.length === 0 ? undefined : served;
}

function tooManyAtOnce(): Refusal {
  const message = `Field name 'limit' is invalid in GET request: must be from 1 to ${maxPageSize}`;
  const driverMessage = `max limit allowed is ${maxPageSize}`;
  return new Refusal('INVALID_QUERY_PARAMETER', message, { driverMessage });
}

function nothingToChange(): Refusal {
  return new Refusal(
    'INVALID_FIELD',
    "Field name 'email' is invalid in JSON input: give an email, a password or both",
  );
}

/** Refuses half of a provider identity instead of ignoring it. */
function accountInfo({ email, phoneNumber, thirdPartyId, thirdPartyUserId }: AccountInfoQuery): AccountInfo {
  if ((thirdPartyId === undefined) !== (thirdPartyUserId === undefined)) {
    const missing = thirdPartyId === undefined ? 'thirdPartyId' : 'thirdPartyUserId';
    throw new Refusal('MISSING_QUERY_PARAMETER', `Field name '${missing}' is missing in GET request`);
  }
  return {
    ...(email !== undefined && { email }),
    ...(phoneNumber !== undefined && { phoneNumber: spellPhone(phoneNumber) }),
    ...(thirdPartyId !== undefined &&
      thirdPartyUserId !== undefined && { thirdParty: { id: thirdPartyId, userId: thirdPartyUserId } }),
  };
}

/** The token is the core id of the page's first user: 16 bytes, base64url. */
function encodePaginationToken(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
}

function decodePaginationToken(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 16 || bytes.toString('base64url') !== token) {
    throw new Refusal(
      'INVALID_QUERY_PARAMETER',
      "Field name 'paginationToken' is invalid in GET request: invalid pagination token; pass the nextPaginationToken of the page before",
      { driverMessage: 'invalid pagination token' },
    );
  }
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
