import { defineFeature } from '../feature.ts';
import { openAudit } from './operations.ts';
import { auditRoutes } from './routes.ts';
import { auditQueries } from './schema.ts';

/** Reads the audit log, and removes old entries. */
export const audit = defineFeature({
  name: 'audit',
  queries: auditQueries,
  open: openAudit,
  routes: auditRoutes,
  sweep: (operations) => operations.removeOld(),
});
