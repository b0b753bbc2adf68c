import { defineFeature } from '../feature.ts';
import { openSessions } from './operations.ts';
import { sessionRoutes } from './routes.ts';
import { sessionBodies, sessionQueries } from './schema.ts';

export type { Payload, TokenVersion } from './access-token.ts';
export type { SessionIssuer } from './begin.ts';
export type { Tokens } from './context.ts';
export type { SessionRow, SessionUser } from './model.ts';
export { arraysOf, insertSessions, newSessionArrays, newSessionColumns } from './store/new-sessions.ts';

/** Sessions with access and refresh tokens, and the keys that sign them. */
export const sessions = defineFeature({
  name: 'sessions',
  bodies: sessionBodies,
  queries: sessionQueries,
  open: openSessions,
  routes: sessionRoutes,
  offer: ({ issuer }) => issuer,
  sweep: (operations) => operations.removeExpired(),
});
