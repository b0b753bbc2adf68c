import { defineFeature } from '../feature.ts';
import { isOfConsole } from './allowed.ts';
import { openConsole } from './operations.ts';
import { consoleRoutes } from './routes.ts';
import { consoleBodies, consoleQueries } from './schema.ts';

/** Pages to look at a move, to import with, and to help users from: at /console. */
export const console = defineFeature({
  name: 'console',
  bodies: consoleBodies,
  queries: consoleQueries,
  isOn: (config) => config.console,
  open: openConsole,
  routes: consoleRoutes,
  door:
    ({ sessions }) =>
    ({ cookies, csrf, appId, method, path }) =>
      isOfConsole(method, path) ? sessions.holderOf(cookies, csrf, appId) : undefined,
  sweep: (operations) => operations.tidy(),
  close: (operations) => operations.close(),
});
