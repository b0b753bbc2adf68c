import { defineFeature } from '../feature.ts';
import { openAudit } from './operations.ts';
import { auditRoutes } from './routes.ts';
import { auditQueries } from './schema.ts';

/** Reading the audit log, and removing what is old. */
export const audit = defineFeature({
  name: 'audit',
  queries: auditQueries,
  open: openAudit,
  routes: auditRoutes,
  sweep: (operations) => operations.removeOld(),
});
