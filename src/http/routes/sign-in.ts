import type { Operations } from '../../operations/operations.ts';
import type { Caller } from '../../operations/sign-in/sign-in.ts';
import { clientAddressOf } from '../request/client-address.ts';
import { body, query } from '../routing/handlers.ts';
import type { Route, RouteContext } from '../routing/route.ts';
import { inBody, inQuery } from '../../schema/validate.ts';

export function signInRoutes(operations: Operations): Route[] {
  return [...passwordRoutes(operations), ...hashReportRoutes(operations), ...thirdPartyRoutes(operations)];
}

function passwordRoutes({ passwords }: Operations): Route[] {
  const common = { method: 'POST', scope: 'tenant', tag: 'Passwords', needs: ['sign-in'] } as const;
  return [
    {
      ...common,
      path: '/recipe/user/passwordhash/import',
      needs: ['import'],
      summary: 'Imports a user with the password hash that another system made',
      statuses: ['OK'],
      audit: { what: 'import.user', when: 'often' },
      ...body(inBody.importPasswordHash, (tenant, input) => passwords.importHash(tenant, input)),
    },
    {
      ...common,
      path: '/recipe/signin',
      summary: 'Signs in by email and password',
      statuses: ['OK', 'WRONG_CREDENTIALS_ERROR', 'SIGN_IN_RESTRICTED_ERROR'],
      refusals: [429],
      unaudited: showsPassword,
      ...body(inBody.signIn, (tenant, input, context) => passwords.signIn(tenant, input, callerOf(context))),
    },
    {
      ...common,
      path: '/recipe/user/passwordhash/verify',
      summary: 'Checks a password without signing in: for another system to mirror its sign-ins to',
      statuses: ['OK', 'WRONG_CREDENTIALS_ERROR', 'SIGN_IN_RESTRICTED_ERROR'],
      refusals: [429],
      unaudited: showsPassword,
      ...body(inBody.signIn, (tenant, input, context) =>
        passwords.checkPassword(tenant, input, callerOf(context)),
      ),
    },
    {
      ...common,
      path: '/recipe/signup',
      summary: 'Makes a user with an email and a password',
      statuses: ['OK', 'EMAIL_ALREADY_EXISTS_ERROR'],
      unaudited: 'creates a user of its own, and reaches no other',
      ...body(inBody.signUp, (tenant, input, { signal }) => passwords.signUp(tenant, input, signal)),
    },
    {
      ...common,
      path: '/recipe/user/password/reset/token',
      summary: 'Makes a token by which a password can be reset',
      statuses: ['OK', 'UNKNOWN_USER_ID_ERROR'],
      audit: { what: 'password.reset-token', when: 'hourly' },
      ...body(inBody.createResetToken, (tenant, input) => passwords.createResetToken(tenant, input)),
    },
    {
      ...common,
      path: '/recipe/user/password/reset/token/consume',
      summary: 'Spends such a token, once',
      statuses: ['OK', 'RESET_PASSWORD_INVALID_TOKEN_ERROR'],
      audit: { what: 'password.reset', when: 'hourly' },
      ...body(inBody.consumeResetToken, (tenant, input) => passwords.consumeResetToken(tenant, input)),
    },
  ];
}

/** A request that needs more than the key leaves no entry. */
const showsPassword = 'takes the password of the user';

/** For operations that count guesses. */
export function callerOf({ head, signal }: RouteContext): Caller {
  return { address: clientAddressOf(head.clientAddress), signal };
}

function hashReportRoutes({ hashReports }: Operations): Route[] {
  return [
    {
      method: 'GET',
      path: '/recipe/user/passwordhash/report',
      scope: 'app',
      needs: ['read'],
      tag: 'Passwords',
      summary:
        'Counts password hashes by kind and cost, those replaced at sign-in, weak ones, and users whose password was proven',
      statuses: ['OK'],
      ...query(inQuery.hashReport, (tenant, input) => hashReports.report(tenant, input)),
    },
  ];
}

function thirdPartyRoutes({ thirdParty }: Operations): Route[] {
  return [
    {
      method: 'POST',
      path: '/recipe/signinup',
      scope: 'tenant',
      needs: ['sign-in'],
      tag: 'Third party',
      summary: "Signs in, or makes, the user of a third party's id",
      statuses: ['OK', 'EMAIL_CHANGE_NOT_ALLOWED_ERROR', 'SIGN_IN_UP_NOT_ALLOWED'],
      audit: { what: 'third-party.sign-in', when: 'hourly' },
      ...body(inBody.signInUp, (tenant, input) => thirdParty.signInUp(tenant, input)),
    },
  ];
}
