import { plain } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import type { Operations } from '../../operations/operations.ts';
import { hookOperations } from './hooks.ts';
import { hookRoutes } from './hook-routes.ts';
import type { OldSystemOperations } from './operations.ts';

/** @param heart verifies for other systems as for a sign-in */
export function oldSystemRoutes(operations: OldSystemOperations, heart: Operations): Route[] {
  return [
    {
      method: 'GET',
      path: '/recipe/user/legacy/report',
      scope: 'app',
      needs: ['read'],
      tag: 'Passwords',
      summary:
        'Counts users whose password an old system still knows, by source and by their last sign-in here',
      statuses: ['OK'],
      ...plain((tenant) => operations.report(tenant)),
    },
    ...hookRoutes(hookOperations(operations, heart)),
  ];
}
