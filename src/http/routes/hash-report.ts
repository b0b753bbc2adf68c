import type { Operations } from '../../operations/operations.ts';
import { query } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';

/** What is stored of passwords, and whether it was proven: numbers, and users whose password was only refused. */
export function hashReportRoutes({ hashReports }: Operations): Route[] {
  return [
    {
      method: 'GET',
      path: '/recipe/user/passwordhash/report',
      scope: 'app',
      tag: 'Passwords',
      summary:
        'Counts password hashes by kind and cost, those replaced at sign-in, weak ones, and users whose password was proven',
      statuses: ['OK'],
      ...query('hashReport', (tenant, input) => hashReports.report(tenant, input)),
    },
  ];
}
