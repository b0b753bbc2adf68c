import { defineFeature } from '../feature.ts';
import { openDashboard } from './operations.ts';
import { dashboardRoutes } from './routes.ts';
import { dashboardBodies, dashboardQueries } from './schema.ts';
import type { DashboardSessionOperations } from './sessions.ts';

export type { DashboardSessionOperations } from './sessions.ts';

/** The dashboard of an app: its own users and sessions, and the settings of tenants. */
export const dashboard = defineFeature({
  name: 'dashboard',
  bodies: dashboardBodies,
  queries: dashboardQueries,
  open: openDashboard,
  offer: (operations): DashboardSessionOperations => operations,
  routes: dashboardRoutes,
  sweep: (operations) => operations.removeExpired(),
});
