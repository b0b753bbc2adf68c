import { defineFeature } from '../feature.ts';
import { openSessionCarry } from './operations.ts';
import { carryRoutes } from './routes.ts';
import { carryBodies } from './schema.ts';

/** Sessions of old systems are exchanged for sessions here, so that users need not sign in again. */
export const sessionCarry = defineFeature({
  name: 'session-carry',
  bodies: carryBodies,
  open: openSessionCarry,
  routes: carryRoutes,
  sweep: (operations) => operations.removeExpired(),
});
