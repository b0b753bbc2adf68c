import type { AuditOperations } from './list.ts';
import { query } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import { queryForms } from '../../schema/forms.ts';
import { auditQueries } from './schema.ts';

const inQuery = queryForms(auditQueries);

/** The audit log. */
export function auditRoutes(audit: AuditOperations): Route[] {
  return [
    {
      method: 'GET',
      path: '/config/audit',
      scope: 'app',
      needs: ['admin'],
      tag: 'Audit log',
      statuses: ['OK'],
      summary: 'Lists who did what with the app, newest first; for the public app, with all apps',
      ...query(inQuery.listAudit, (tenant, input) => audit.list(tenant, input)),
    },
  ];
}
