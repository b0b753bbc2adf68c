import type { Operations } from '../../operations/operations.ts';
import { plain } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';

export function resealRoutes({ sealed }: Pick<Operations, 'sealed'>): Route[] {
  return [
    {
      method: 'POST',
      path: '/config/encryption-keys/reseal',
      scope: 'app',
      needs: ['admin'],
      tag: 'Configuration',
      statuses: ['OK'],
      summary: 'Seals all secrets of the database with the first encryption key',
      audit: { what: 'reseal' },
      ...plain((tenant) => sealed.reseal(tenant)),
    },
  ];
}
