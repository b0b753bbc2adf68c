import { defineFeature } from '../feature.ts';
import { openRoles } from './operations.ts';
import { roleRoutes } from './routes.ts';
import { roleBodies, roleQueries } from './schema.ts';

/** Roles with permissions, their assignments to users, and metadata of users. */
export const roles = defineFeature({
  name: 'roles',
  bodies: roleBodies,
  queries: roleQueries,
  open: openRoles,
  routes: roleRoutes,
});
