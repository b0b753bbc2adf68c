import { defineFeature } from '../feature.ts';
import { isOfConsole } from './allowed.ts';
import { type ConsoleOff, type ConsoleOperations, openConsole } from './operations.ts';
import { consoleRoutes } from './routes.ts';
import { consoleBodies, consoleQueries } from './schema.ts';

/** Pages to look at a move, to import with, and to help users from: at /console. */
export const console = defineFeature<ConsoleOperations | ConsoleOff>({
  name: 'console',
  bodies: consoleBodies,
  queries: consoleQueries,
  open: openConsole,
  routes: (operations, heart) => (operations.isOff === true ? [] : consoleRoutes(operations, heart)),
  door: (operations) =>
    operations.isOff === true
      ? undefined
      : ({ cookies, csrf, appId, method, path }) =>
          isOfConsole(method, path) ? operations.sessions.holderOf(cookies, csrf, appId) : undefined,
  sweep: async (operations) => (operations.isOff === true ? 0 : operations.tidy()),
  close: async (operations) => {
    if (operations.isOff !== true) await operations.close();
  },
});
