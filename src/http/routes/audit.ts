import type { AuditOperations } from '../../operations/dashboard/audit.ts';
import { query } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';
import { inQuery } from '../../schema/validate.ts';

/** The audit log. */
export function auditRoutes({ audit }: { readonly audit: AuditOperations }): Route[] {
  return [
    {
      ...{
        method: 'GET',
        path: '/config/audit',
        scope: 'app',
        needs: ['admin'],
        tag: 'Audit log',
        statuses: ['OK'],
      },
      summary: 'Lists who did what with the app, newest first; for the public app, with all apps',
      ...query(inQuery.listAudit, (tenant, input) => audit.list(tenant, input)),
    },
  ];
}
