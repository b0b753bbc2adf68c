import type { OperationsContext } from '../../operations/context.ts';
import type { DashboardSessionStore, DashboardUserStore } from './model.ts';

export interface DashboardContext extends OperationsContext {
  readonly dashboardUsers: DashboardUserStore;
  readonly dashboardSessions: DashboardSessionStore;
}
