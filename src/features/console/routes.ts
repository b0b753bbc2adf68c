import { body, query } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import type { Operations as HeartOperations } from '../../operations/operations.ts';
import { bodyForms, queryForms } from '../../schema/forms.ts';
import { fileRoutes } from './file-routes.ts';
import { common, path } from './model.ts';
import type { ConsoleOperations } from './operations.ts';
import { runRoutes } from './run-routes.ts';
import { consoleBodies, consoleQueries } from './schema.ts';
import { sessionRoutes } from './session-routes.ts';

const inBody = bodyForms(consoleBodies);
const inQuery = queryForms(consoleQueries);

/** The pages, and what only they ask for; the rest they get by the routes of others, see allowed.ts. */
export function consoleRoutes(console: ConsoleOperations, heart: HeartOperations): Route[] {
  return [
    ...pageRoutes(console),
    ...sessionRoutes(console),
    ...fileRoutes(console),
    ...runRoutes(console),
    ...watchRoutes(console),
    ...peopleRoutes(console, heart),
  ];
}

function pageRoutes({ pages }: ConsoleOperations): Route[] {
  const open = { method: 'GET', scope: 'core', tag: 'Console', needs: 'any', open: true } as const;
  return [
    {
      ...open,
      path,
      summary: 'The page of the console',
      contentType: 'text/html',
      handle: () => pages.page(),
    },
    {
      ...open,
      path: `${path}/{name}`,
      summary: 'A script or a style of the console',
      contentType: 'text/javascript',
      handle: ({ id }) => pages.asset(id),
    },
  ];
}

function watchRoutes({ morning, cores }: ConsoleOperations): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path: `${path}/morning`,
      needs: ['read', 'metrics'],
      statuses: ['OK'],
      summary: 'Sign-ins of all cores by outcome, in spans of five minutes of the last day, some seconds old',
      handle: () => morning(),
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/cores`,
      needs: ['metrics'],
      statuses: ['OK'],
      summary: 'The cores that use the database, and how busy each is, some seconds old',
      handle: async () => ({ status: 'OK', cores: await cores.list() }),
    },
  ];
}

function peopleRoutes({ people }: ConsoleOperations, heart: HeartOperations): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path: `${path}/users`,
      needs: ['read'],
      statuses: ['OK'],
      summary: 'Lists or searches users, with emails, phone numbers and ids of providers masked',
      ...query(inQuery.searchUsers, (tenant, input, { signal }) =>
        people.search(heart, tenant, input, signal),
      ),
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/user`,
      needs: ['read'],
      statuses: ['OK', 'UNKNOWN_USER_ID_ERROR'],
      summary: 'A user as support needs it: login methods, why a sign-in may fail, history; masked',
      ...query(inQuery.showUser, (tenant, input) => people.show(heart, tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/user/reveal`,
      needs: ['read'],
      statuses: ['OK', 'UNKNOWN_USER_ID_ERROR'],
      summary: "Shows a user's emails, phone numbers and ids of providers",
      audit: { what: 'user.reveal', fields: ['userId'] },
      ...body(inBody.revealUser, (tenant, input) => people.reveal(heart, tenant, input)),
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/history`,
      needs: ['admin'],
      statuses: ['OK'],
      summary: 'The audit log, with emails masked',
      ...query(inQuery.consoleHistory, (tenant, input) => people.history(tenant, input)),
    },
  ];
}
