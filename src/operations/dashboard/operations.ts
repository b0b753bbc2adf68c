import type { OperationsContext } from '../context.ts';
import { coreConfigOperations, type CoreConfigOperations } from './core-config.ts';
import { dashboardSessionOperations, type DashboardSessionOperations } from './sessions.ts';
import { dashboardUserOperations, type DashboardUserOperations } from './users.ts';

/** What the dashboard asks for that no other part has. */
export type DashboardOperations = DashboardUserOperations & DashboardSessionOperations & CoreConfigOperations;

export function dashboardOperations(context: OperationsContext): DashboardOperations {
  return {
    ...dashboardUserOperations(context),
    ...dashboardSessionOperations(context),
    ...coreConfigOperations(context),
  };
}
