import { defineFeature } from '../feature.ts';
import { openTotp } from './operations.ts';
import { totpRoutes } from './routes.ts';
import { totpBodies, totpQueries } from './schema.ts';

/** Devices that generate one-time codes (RFC 6238), and backup codes. */
export const totp = defineFeature({
  name: 'totp',
  bodies: totpBodies,
  queries: totpQueries,
  open: openTotp,
  routes: totpRoutes,
  sweep: async (operations) => {
    await operations.sealImported();
    return operations.removeExpired();
  },
  beforeReseal: (operations) => operations.sealImported(),
});
