import { removeInAll } from '../../store/expired-rows.ts';
import type { FeatureParts } from '../feature.ts';
import type { DashboardContext } from './context.ts';
import { coreConfigOperations, type CoreConfigOperations } from './core-config.ts';
import { dashboardSessionOperations, type DashboardSessionOperations } from './sessions.ts';
import { dashboardSessionStore, removeExpiredDashboardSessions } from './store/sessions.ts';
import { dashboardUserStore } from './store/users.ts';
import { dashboardUserOperations, type DashboardUserOperations } from './users.ts';

export interface DashboardOperations
  extends DashboardUserOperations, DashboardSessionOperations, CoreConfigOperations {
  /** @returns the number of removed sessions of dashboard users */
  removeExpired(): Promise<number>;
}

export function openDashboard({ context: given, openStores, databases }: FeatureParts): DashboardOperations {
  const context: DashboardContext = {
    ...given,
    dashboardUsers: openStores(({ live }) => dashboardUserStore(live)),
    dashboardSessions: openStores(({ live }) => dashboardSessionStore(live)),
  };
  return {
    ...dashboardUserOperations(context),
    ...dashboardSessionOperations(context),
    ...coreConfigOperations(context),
    removeExpired: () => removeInAll(databases, removeExpiredDashboardSessions, context.now()),
  };
}
