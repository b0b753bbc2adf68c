/** Every route of the core, for tests that walk the table: no handler may be called. */
import { features } from '../../src/features/index.ts';
import type { Discovery } from '../../src/http/routing/discovery.ts';
import type { Route } from '../../src/http/routing/route.ts';
import { routes } from '../../src/http/routing/routes.ts';
import type { BulkImports } from '../../src/imports/ports.ts';
import type { BulkQueue } from '../../src/imports/queue/queue.ts';
import type { Operations } from '../../src/operations/operations.ts';

export function allRoutes(): readonly Route[] {
  const bulk = { imports: {} as BulkImports, queue: {} as BulkQueue };
  return routes({
    operations: {} as Operations,
    discovery: { version: '' } as Discovery,
    bulk,
    ofFeatures: features.flatMap((feature) => feature.describe()),
  });
}

/** Whether the method of a route only reads. */
export function onlyReads({ method }: Pick<Route, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
