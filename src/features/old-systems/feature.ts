import { defineFeature } from '../feature.ts';
import { openOldSystems } from './operations.ts';
import { oldSystemRoutes } from './routes.ts';
import { hookBodies } from './schema.ts';

/** Old systems verify the passwords that they know, until the users have moved; and other systems ask this one. */
export const oldSystems = defineFeature({
  name: 'old-systems',
  bodies: hookBodies,
  open: openOldSystems,
  routes: oldSystemRoutes,
  extend: ({ door }) => ({ oldSystems: door }),
});
