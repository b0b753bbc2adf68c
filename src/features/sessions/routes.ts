import type { SessionOperations } from './operations.ts';
import { sessionBytes } from '../../domain/access/session-bytes.ts';
import { Reply } from '../../http/response/replies.ts';
import { body, plain, query } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import { bodyForms, queryForms } from '../../schema/forms.ts';
import { sessionBodies, sessionQueries } from './schema.ts';

const inBody = bodyForms(sessionBodies);
const inQuery = queryForms(sessionQueries);
const tag = 'Sessions';
const needs = ['sign-in'] as const;
const maxBodyBytes = sessionBytes.payload;
const ended = 'UNAUTHORISED';
const path = '/recipe/session';

/** Sessions, and the keys by which applications verify their tokens. */
export function sessionRoutes(sessions: SessionOperations): Route[] {
  return [
    ...tokenRoutes(sessions),
    ...storedRoutes(sessions),
    ...routesOfMany(sessions),
    ...keyRoutes(sessions),
  ];
}

function tokenRoutes(sessions: SessionOperations): Route[] {
  return [
    {
      method: 'POST',
      path,
      scope: 'tenant',
      tag,
      statuses: ['OK', ended],
      needs,
      summary: 'Begins a session',
      maxBodyBytes,
      audit: { what: 'session.create', when: 'hourly' },
      ...body(inBody.createSession, (tenant, input, { wants }) =>
        sessions.create(tenant, input, wants?.tokenVersion),
      ),
    },
    {
      method: 'POST',
      path: `${path}/refresh`,
      scope: 'app',
      tag,
      needs,
      statuses: ['OK', ended, 'TOKEN_THEFT_DETECTED'],
      summary: 'Gives new tokens for a refresh token',
      unaudited: 'takes a refresh token of the user',
      ...body(inBody.refreshSession, (tenant, input, { wants }) =>
        sessions.refresh(tenant, input, wants?.tokenVersion),
      ),
    },
    {
      method: 'POST',
      path: `${path}/verify`,
      scope: 'app',
      tag,
      needs,
      statuses: ['OK', ended, 'TRY_REFRESH_TOKEN'],
      summary: 'Verifies an access token, with its session where that is asked for',
      maxBodyBytes: sessionBytes.withToken,
      unaudited: 'takes an access token of the user',
      ...body(inBody.verifySession, (tenant, input) => sessions.verify(tenant, input)),
    },
    {
      method: 'POST',
      path: `${path}/regenerate`,
      scope: 'app',
      tag,
      statuses: ['OK', ended],
      needs,
      summary: 'Gives an access token with another payload',
      maxBodyBytes: sessionBytes.withToken,
      audit: { what: 'session.claims', when: 'hourly' },
      ...body(inBody.regenerateSession, (tenant, input) => sessions.regenerate(tenant, input)),
    },
  ];
}

function storedRoutes(sessions: SessionOperations): Route[] {
  return [
    {
      method: 'GET',
      path,
      scope: 'app',
      tag,
      statuses: ['OK', ended],
      needs,
      summary: 'What is kept of a session',
      ...query(inQuery.session, (tenant, input) => sessions.find(tenant, input)),
    },
    {
      method: 'PUT',
      path: `${path}/data`,
      scope: 'app',
      tag,
      statuses: ['OK', ended],
      needs,
      summary: "Replaces a session's data",
      maxBodyBytes,
      audit: { what: 'session.data', when: 'hourly' },
      ...body(inBody.putSessionData, (tenant, input) => sessions.putData(tenant, input)),
    },
    {
      method: 'PUT',
      path: '/recipe/jwt/data',
      scope: 'app',
      tag,
      statuses: ['OK', ended],
      needs,
      summary: 'Replaces the payload of the access tokens to come',
      maxBodyBytes,
      audit: { what: 'session.claims', when: 'hourly' },
      ...body(inBody.putJwtData, (tenant, input, { wants }) =>
        sessions.putJwtData(tenant, input, wants?.tokenVersion),
      ),
    },
  ];
}

function routesOfMany(sessions: SessionOperations): Route[] {
  return [
    {
      method: 'GET',
      path: `${path}/user`,
      scope: 'tenant',
      tag,
      statuses: ['OK'],
      needs,
      summary: 'The handles of the sessions of a user',
      ...query(inQuery.listSessions, (tenant, input) => sessions.list(tenant, input)),
    },
    {
      method: 'POST',
      path: `${path}/remove`,
      scope: 'tenant',
      tag,
      statuses: ['OK'],
      needs,
      summary: 'Ends sessions, by their handles or by their user',
      audit: { what: 'session.remove', when: 'hourly' },
      ...body(inBody.removeSessions, (tenant, input) => sessions.remove(tenant, input)),
    },
  ];
}

function keyRoutes(sessions: SessionOperations): Route[] {
  return [
    {
      method: 'POST',
      path: '/recipe/jwt',
      scope: 'app',
      tag,
      needs,
      statuses: ['OK', 'UNSUPPORTED_ALGORITHM_ERROR'],
      summary: 'Signs a JWT for other services',
      maxBodyBytes,
      audit: { what: 'jwt.sign', when: 'hourly' },
      ...body(inBody.createJwt, (tenant, input) => sessions.createJwt(tenant, input)),
    },
    {
      method: 'GET',
      path: '/recipe/jwt/jwks',
      scope: 'app',
      tag,
      statuses: ['OK'],
      needs: 'any',
      summary: 'The public keys of tokens, for callers with a key',
      ...plain(async (tenant) => ({ status: 'OK', keys: (await sessions.listKeys(tenant)).keys })),
    },
    {
      method: 'GET',
      path: '/.well-known/jwks.json',
      scope: 'tenant',
      open: true,
      tag,
      needs: 'any',
      summary: 'The public keys of tokens, without an API key',
      ...plain(async (tenant) => {
        const { keys, maxAgeSeconds } = await sessions.listKeys(tenant);
        return new Reply({
          contentType: 'application/json; charset=utf-8',
          body: JSON.stringify({ keys }),
          headers: [['Cache-Control', `max-age=${maxAgeSeconds}, must-revalidate`]],
        });
      }),
    },
  ];
}
