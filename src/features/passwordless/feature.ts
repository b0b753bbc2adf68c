import { defineFeature } from '../feature.ts';
import { openPasswordless } from './operations.ts';
import { passwordlessRoutes } from './routes.ts';
import { passwordlessBodies, passwordlessQueries } from './schema.ts';

/** Signing in and up by codes and links that are sent to an email or a phone number. */
export const passwordless = defineFeature({
  name: 'passwordless',
  bodies: passwordlessBodies,
  queries: passwordlessQueries,
  open: openPasswordless,
  routes: passwordlessRoutes,
  sweep: (operations) => operations.removeExpired(),
});
