import { defineFeature } from '../feature.ts';
import { openReceipts } from './operations.ts';
import { receiptRoutes } from './routes.ts';
import { receiptBodies, receiptQueries } from './schema.ts';

/** Signed receipts of imports: see docs/design/receipts.md. */
export const receipts = defineFeature({
  name: 'receipts',
  bodies: receiptBodies,
  queries: receiptQueries,
  open: openReceipts,
  routes: receiptRoutes,
});

export { openSigningKeys } from './operations.ts';
