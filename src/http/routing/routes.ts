import type { BulkImports } from '../../imports/ports.ts';
import type { BulkQueue } from '../../imports/queue/queue.ts';
import type { Operations } from '../../operations/operations.ts';
import { type Discovery, discoveryRoutes } from './discovery.ts';
import { openApiDocument } from './openapi.ts';
import { jsonReply } from '../response/replies.ts';
import { bulkQueueRoutes } from '../routes/bulk-queue.ts';
import { exportRoutes } from '../routes/export.ts';
import { jobRoutes } from '../routes/jobs.ts';
import { linkingRoutes } from '../routes/users/linking.ts';
import { mappingRoutes } from '../routes/users/mapping.ts';
import { signInRoutes } from '../routes/sign-in.ts';
import { resealRoutes } from '../routes/reseal.ts';
import { tenantRoutes } from '../routes/tenants.ts';
import { uploadRoutes } from '../routes/uploads/routes.ts';
import { userRoutes } from '../routes/users/users.ts';
import { verificationRoutes } from '../routes/users/verification.ts';
import type { Route } from './route.ts';

export interface Bulk {
  readonly imports: BulkImports;
  readonly queue: BulkQueue;
}

export interface Served {
  readonly operations: Operations;
  readonly discovery: Discovery;
  readonly bulk: Bulk;
  readonly ofFeatures: readonly Route[];
}

/** In the order of the documents. */
export function routes({ operations, discovery, bulk, ofFeatures }: Served): Route[] {
  const described = [
    ...signInRoutes(operations),
    ...verificationRoutes(operations),
    ...mappingRoutes(operations),
    ...userRoutes(operations),
    ...linkingRoutes(operations),
    ...tenantRoutes(operations),
    ...resealRoutes(operations),
    ...ofFeatures,
    ...uploadRoutes(bulk.imports),
    ...jobRoutes(bulk.imports),
    ...bulkQueueRoutes(bulk.queue),
    ...exportRoutes(operations),
    ...discoveryRoutes(discovery),
  ];
  const document = jsonReply(openApiDocument([...described, documentation], discovery.version));
  return [...described, { ...documentation, handle: () => document }];
}

const documentation = {
  method: 'GET',
  path: '/docs/openapi.json',
  scope: 'core',
  needs: 'any',
  summary: 'This document',
  tag: 'Discovery',
} as const satisfies Omit<Route, 'handle'>;
