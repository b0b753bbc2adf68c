/** The app: the SDK's routes, the app's own, and the pages. */
import type express from 'express';
import type { ErrorRequestHandler, Express } from 'express';
import supertokens from 'supertokens-node';
import { errorHandler, middleware } from 'supertokens-node/framework/express/index.js';
import type { SessionRequest } from 'supertokens-node/framework/express/index.js';
import { verifySession } from 'supertokens-node/recipe/session/framework/express/index.js';
import UserRoles from 'supertokens-node/recipe/userroles/index.js';
import type { Assets } from './bundle.ts';
import { addPages } from './pages.ts';
import { addStandIns, type StandIns } from './stand-in-pages.ts';

/** Called after `initSdk`. */
export function createApp(app: Express, assets: Assets, standIns: StandIns): void {
  app.disable('x-powered-by');
  app.use(onlyOwnContent);
  app.use(middleware()); // /auth/signin, /auth/session/refresh and the others
  app.get('/api/me', verifySession(), sendMe);
  app.get('/api/admin', verifySession(forAdmins), sendOrders);
  addPages(app, assets);
  addStandIns(app, standIns);
  app.use(errorHandler());
  app.use(lastResort);
}

/** Loads and runs only this app's own content. */
const onlyOwnContent: express.RequestHandler = (_request, response, next) => {
  response.setHeader('content-security-policy', "default-src 'self'; frame-ancestors 'none'");
  next();
};

/** An access token is accepted until it expires, even if its session has ended. Where that matters, `checkDatabase` asks the core. */
const forAdmins: Parameters<typeof verifySession>[0] = {
  checkDatabase: true,
  overrideGlobalClaimValidators: (validators) => [
    ...validators,
    UserRoles.UserRoleClaim.validators.includes('admin'),
  ],
};

async function sendMe(request: SessionRequest, response: express.Response): Promise<void> {
  const session = sessionOf(request);
  const userId = session.getUserId();
  const user = await supertokens.getUser(userId);
  const payload = session.getAccessTokenPayload() as { readonly iat: number; readonly exp: number };
  response.json({
    userId,
    emails: user?.emails ?? [],
    roles: (await session.getClaimValue(UserRoles.UserRoleClaim)) ?? [],
    tokenFrom: new Date(payload.iat * 1000).toISOString(),
    tokenUntil: new Date(payload.exp * 1000).toISOString(),
  });
}

function sendOrders(_request: SessionRequest, response: express.Response): void {
  response.json({ orders: ['No. 1001, two lamps', 'No. 1002, a chair'] });
}

/** Set by `verifySession`. */
function sessionOf({ session }: SessionRequest): NonNullable<SessionRequest['session']> {
  if (session === undefined) throw new Error('the route has no verifySession');
  return session;
}

/** Errors are written to the terminal, not to the browser. */
const lastResort: ErrorRequestHandler = (error, _request, response, next) => {
  console.error(error);
  if (response.headersSent) next(error);
  else response.status(500).json({ message: 'Something went wrong here. Try again.' });
};
