import { Refusal } from '../../domain/errors.ts';
import type { LoginMethod, RecipeId, User } from '../../domain/model.ts';
import type { Operations } from '../../operations/operations.ts';
import type { FoundMethod, MethodSought } from '../../operations/users/by-method.ts';
import type { QueryInputs } from '../../schema/requests.ts';
import { body, query } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';
import { isFirst, requireEnabled } from './factors.ts';
import { type Fields, without } from './fields.ts';
import type { AnsweredRequest, RouteChange, VersionStep } from './step.ts';
import { inBody, inQuery } from '../../schema/validate.ts';

const wants = { tokenVersion: 4 } as const;
const ofLoginMethod: RouteChange = { renamed: { recipeUserId: 'userId' } };

/**
 * 4.0 introduced users with several login methods: before, each login method was a user with its own id, and such a client gets
 * the one that was found or signed in. Sessions, and access tokens of version 4, do not name it.
 */
export const before40: VersionStep = {
  until: '4.0',
  versions: ['3.0', '3.1'],
  changes: {
    'POST /recipe/user/passwordhash/import': { answer: importedUser },
    'POST /recipe/signup': { answer: oneUser },
    'POST /recipe/signin': { answer: (answer) => oneUser(knownStatus(answer, signInStatuses)) },
    'POST /recipe/signinup': { request: withUnprovenEmail, answer: signedInUp },
    'POST /recipe/signinup/code/consume': {
      wants: { verifiesNoEmail: true },
      answer: (answer) => oneUser(knownStatus(answer, codeStatuses)),
    },
    'GET /recipe/user': { answer: oneUser },
    'GET /recipe/users/by-email': {
      answer: ({ users, ...answer }) => ({ ...answer, users: foundUsers(users) }),
    },
    'GET /users': { answer: ({ users, ...answer }) => ({ ...answer, users: listedUsers(users) }) },
    'PUT /recipe/user': { ...ofLoginMethod, answer: (answer) => knownStatus(answer, changeStatuses) },
    'POST /recipe/multitenancy/tenant/user': { ...ofLoginMethod, answer: associated },
    'POST /recipe/multitenancy/tenant/user/remove': ofLoginMethod,
    'POST /recipe/session': { wants, answer: ofSession },
    'POST /recipe/session/carry': { wants, answer: ofSession },
    'POST /recipe/session/refresh': { wants, answer: ofSession },
    'POST /recipe/session/verify': { answer: ofSession },
    'POST /recipe/session/regenerate': { answer: ofSession },
    'GET /recipe/session': { answer: withoutMethod },
    'PUT /recipe/jwt/data': { wants },
  },
  routes: (operations) => [...findingRoutes(operations), ...resetRoutes(operations)],
};

function withoutMethod(fields: Fields): Fields {
  return without('recipeUserId')(fields);
}

function formerUser({ loginMethods }: User, recipeUserId: unknown): Fields {
  const [oldest] = loginMethods;
  return userOf(loginMethods.find((method) => method.recipeUserId === recipeUserId) ?? oldest);
}

function userOf(method: LoginMethod | undefined): Fields {
  if (method === undefined) throw new Error('a user has no login method');
  const { recipeUserId: id, timeJoined, tenantIds, email, phoneNumber, thirdParty } = method;
  return { id, timeJoined, tenantIds, email, phoneNumber, thirdParty };
}

function oneUser(answer: Fields): Fields {
  const { user, recipeUserId, ...others } = answer;
  return user === undefined ? others : { ...others, user: formerUser(user as User, recipeUserId) };
}

/** The answer names no login method: the one with the email is meant. */
function importedUser(answer: Fields, { input, tenant }: AnsweredRequest): Fields {
  const { user, ...others } = answer;
  const { loginMethods } = user as User;
  const found = loginMethods.find(
    ({ recipeId, email, tenantIds }) =>
      recipeId === 'emailpassword' && email === input.email && tenantIds.includes(tenant?.tenantId ?? ''),
  );
  return { ...others, user: userOf(found ?? loginMethods[0]) };
}

function foundUsers(found: unknown): readonly Fields[] {
  return (found as readonly FoundMethod[]).map(({ user, recipeUserId }) => formerUser(user, recipeUserId));
}

function listedUsers(users: unknown): readonly Fields[] {
  return (users as readonly User[]).map((user) => ({
    recipeId: user.loginMethods[0]?.recipeId,
    user: userOf(user.loginMethods[0]),
  }));
}

function ofSession(answer: Fields): Fields {
  const { session } = answer;
  return session === undefined ? answer : { ...answer, session: withoutMethod(session as Fields) };
}

/** Later statuses, and an equally true one that older clients know. */
type Known = Readonly<Record<string, string>>;

const signInStatuses: Known = { SIGN_IN_RESTRICTED_ERROR: 'WRONG_CREDENTIALS_ERROR' };
const codeStatuses: Known = { SIGN_IN_NOT_ALLOWED: 'RESTART_FLOW_ERROR' };
const changeStatuses: Known = {
  EMAIL_CHANGE_NOT_ALLOWED_ERROR: 'EMAIL_ALREADY_EXISTS_ERROR',
  PHONE_NUMBER_CHANGE_NOT_ALLOWED_ERROR: 'PHONE_NUMBER_ALREADY_EXISTS_ERROR',
};

function knownStatus(answer: Fields, known: Known): Fields {
  const status = known[String(answer.status)];
  return status === undefined ? answer : { status };
}

/** The reason alone contains what the user shares with another one. */
function associated(answer: Fields): Fields {
  if (answer.status !== 'ASSOCIATION_NOT_ALLOWED_ERROR') return answer;
  const reason = String(answer.reason);
  if (reason.includes('phone number')) return { status: 'PHONE_NUMBER_ALREADY_EXISTS_ERROR' };
  const isThirdParty = reason.includes('third party');
  return { status: isThirdParty ? 'THIRD_PARTY_USER_ALREADY_EXISTS_ERROR' : 'EMAIL_ALREADY_EXISTS_ERROR' };
}

/** Older versions ignored whether a provider has verified the email. */
function withUnprovenEmail(input: Fields): Fields {
  const { email } = input;
  if (typeof email !== 'object' || email === null || Array.isArray(email)) return input;
  return { ...input, email: without('isVerified')(email as Fields) };
}

/** Older clients do not read the status. @throws Refusal INVALID_FIELD */
function signedInUp(answer: Fields): Fields {
  if (answer.status === 'OK') return oneUser(answer);
  throw new Refusal('INVALID_FIELD', String(answer.reason));
}

const tag = 'Users';

function findingRoutes({ methods }: Operations): Route[] {
  const common = { method: 'GET', scope: 'tenant', needs: ['sign-in', 'read'], tag } as const;
  const ofRecipe = (recipeId: RecipeId): Omit<Route, 'rid'> => ({
    ...common,
    path: '/recipe/user',
    statuses: ['OK', 'UNKNOWN_USER_ID_ERROR', unknown[recipeId]],
    summary: `Finds a login method of ${recipeId}`,
    ...query(inQuery.methodOfUser, async (tenant, input) => {
      const sought = soughtIn[recipeId](input);
      const found = await methods.findMethod(tenant, recipeId, sought);
      if (found !== undefined) return { status: 'OK', ...found };
      return { status: 'userId' in sought ? 'UNKNOWN_USER_ID_ERROR' : unknownOf(recipeId, sought) };
    }),
  });
  return [
    ofRecipe('emailpassword'),
    { ...ofRecipe('passwordless'), rid: 'passwordless' },
    { ...ofRecipe('thirdparty'), rid: 'thirdparty' },
    {
      ...common,
      path: '/recipe/users/by-email',
      statuses: ['OK'],
      summary: 'Finds the login methods of third parties with an email',
      ...query(inQuery.usersByEmail, async (tenant, { email }) => ({
        status: 'OK',
        users: await methods.findMethods(tenant, 'thirdparty', email),
      })),
    },
  ];
}

const unknown: Readonly<Record<RecipeId, string>> = {
  emailpassword: 'UNKNOWN_EMAIL_ERROR',
  passwordless: 'UNKNOWN_EMAIL_ERROR',
  thirdparty: 'UNKNOWN_THIRD_PARTY_USER_ERROR',
};

function unknownOf(recipeId: RecipeId, sought: MethodSought): string {
  return 'phoneNumber' in sought ? 'UNKNOWN_PHONE_NUMBER_ERROR' : unknown[recipeId];
}

type Query = QueryInputs['methodOfUser'];

const soughtIn: Readonly<Record<RecipeId, (query: Query) => MethodSought>> = {
  emailpassword: ({ userId, email }) =>
    onlyOne([userId !== undefined && { userId }, email !== undefined && { email }], {
      none: 'Please provide one of userId or email',
      several: 'Please provide only one of userId or email',
    }),
  passwordless: ({ userId, email, phoneNumber }) => {
    const message = 'Please provide exactly one of userId, email or phoneNumber';
    const given = [
      userId !== undefined && { userId },
      email !== undefined && { email },
      phoneNumber !== undefined && { phoneNumber },
    ];
    return onlyOne(given, { none: message, several: message });
  },
  thirdparty: ({ userId, thirdPartyId: id, thirdPartyUserId }) => {
    const isNamed = id !== undefined && thirdPartyUserId !== undefined;
    return onlyOne(
      [userId !== undefined && { userId }, isNamed && { thirdParty: { id, userId: thirdPartyUserId } }],
      {
        none: 'Please provide one of userId or (thirdPartyId & thirdPartyUserId)',
        several: 'Please provide only one of userId or (thirdPartyId & thirdPartyUserId)',
      },
    );
  },
};

/** @throws Refusal INVALID_QUERY_PARAMETER */
function onlyOne(
  candidates: readonly (MethodSought | false)[],
  messages: { readonly none: string; readonly several: string },
): MethodSought {
  const [first, second] = candidates.filter((each) => each !== false);
  if (first === undefined) throw new Refusal('INVALID_QUERY_PARAMETER', messages.none);
  if (second !== undefined) throw new Refusal('INVALID_QUERY_PARAMETER', messages.several);
  return first;
}

function resetRoutes({ passwords, users }: Operations): Route[] {
  const common = { method: 'POST', scope: 'tenant', needs: ['sign-in'], tag: 'Passwords' } as const;
  return [
    {
      ...common,
      path: '/recipe/user/password/reset/token',
      statuses: ['OK', 'UNKNOWN_USER_ID_ERROR'],
      summary: "Makes a token by which the user's password can be reset",
      audit: { what: 'password.reset-token', when: 'hourly' },
      ...body(inBody.createFormerResetToken, async (tenant, { userId }) => {
        requireEnabled(tenant, 'emailPassword', isFirst);
        const email = emailOf(await users.get(tenant, { userId }));
        if (email === undefined) return { status: 'UNKNOWN_USER_ID_ERROR' };
        return passwords.createResetToken(tenant, { userId, email });
      }),
    },
    {
      ...common,
      path: '/recipe/user/password/reset',
      statuses: ['OK', 'RESET_PASSWORD_INVALID_TOKEN_ERROR'],
      summary: 'Spends such a token, and sets the password',
      audit: { what: 'password.reset', when: 'hourly' },
      ...body(inBody.resetPassword, (tenant, input, { signal }) =>
        passwords.resetPassword(tenant, input, signal),
      ),
    },
  ];
}

/** The user's own email. @throws Refusal INVALID_FIELD if the user has several login methods */
function emailOf(found: Awaited<ReturnType<Operations['users']['get']>>): string | undefined {
  if (found.status !== 'OK') return undefined;
  const [method, another] = found.user.loginMethods;
  if (another !== undefined) throw new Refusal('INVALID_FIELD', 'Please use CDI version >= 4.0');
  return method?.recipeId === 'emailpassword' ? method.email : undefined;
}
