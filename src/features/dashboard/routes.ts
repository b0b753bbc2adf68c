import type { DashboardOperations } from './operations.ts';
import { body, plain, query } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import { callerOf } from '../../http/routes/sign-in.ts';
import { bodyForms, queryForms } from '../../schema/forms.ts';
import { dashboardBodies, dashboardQueries } from './schema.ts';

const inBody = bodyForms(dashboardBodies);
const inQuery = queryForms(dashboardQueries);
const path = '/recipe/dashboard';
const common = { scope: 'app', tag: 'Dashboard', needs: ['admin'] } as const;
/** The scopes for an app's backend while the dashboard is used. */
const needs = ['sign-in', 'admin'] as const;
const refused = ['EMAIL_ALREADY_EXISTS_ERROR', 'INVALID_EMAIL_ERROR', 'PASSWORD_WEAK_ERROR'] as const;

/** Signing in to the dashboard, and its users. */
export function dashboardRoutes(dashboard: DashboardOperations): Route[] {
  return [...sessionRoutes(dashboard), ...userRoutes(dashboard), ...tenantRoutes(dashboard)];
}

function sessionRoutes(dashboard: DashboardOperations): Route[] {
  return [
    {
      ...common,
      method: 'POST',
      path: `${path}/signin`,
      needs,
      refusals: [429],
      statuses: ['OK', 'INVALID_CREDENTIALS_ERROR'],
      summary: 'Signs in to the dashboard',
      audit: { what: 'dashboard.sign-in', fields: ['email'], when: 'granted' },
      ...body(inBody.dashboardSignIn, (tenant, input, context) =>
        dashboard.signIn(tenant, input, callerOf(context)),
      ),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/session/verify`,
      needs,
      statuses: ['OK', 'INVALID_SESSION_ERROR'],
      summary: 'Returns the user of a session of the dashboard',
      unaudited: 'takes a session of the dashboard',
      ...body(inBody.verifyDashboardSession, (tenant, input) => dashboard.verifySession(tenant, input)),
    },
    {
      ...common,
      method: 'DELETE',
      path: `${path}/session`,
      needs,
      statuses: ['OK'],
      summary: 'Ends a session of the dashboard, by its id or as it is listed',
      unaudited: 'only ends a session',
      ...query(inQuery.dashboardSession, (tenant, input) => dashboard.endSession(tenant, input)),
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/user/sessions`,
      statuses: ['OK'],
      summary: "Lists a dashboard user's sessions, by handles in place of their ids",
      ...query(inQuery.dashboardSessions, (tenant, input) => dashboard.listSessions(tenant, input)),
    },
  ];
}

function userRoutes(dashboard: DashboardOperations): Route[] {
  return [
    {
      ...common,
      method: 'POST',
      path: `${path}/user`,
      statuses: ['OK', ...refused],
      summary: 'Makes a user of the dashboard',
      audit: { what: 'dashboard-user.add', fields: ['email'] },
      ...body(inBody.addDashboardUser, (tenant, input, { signal }) =>
        dashboard.addUser(tenant, input, signal),
      ),
    },
    {
      ...common,
      method: 'PUT',
      path: `${path}/user`,
      statuses: ['OK', 'UNKNOWN_USER_ERROR', ...refused],
      summary: "Changes a dashboard user's email or password, and ends the user's sessions",
      audit: { what: 'dashboard-user.change', fields: ['userId', 'email', 'newEmail'] },
      ...body(inBody.changeDashboardUser, (tenant, input, { signal }) =>
        dashboard.changeUser(tenant, input, signal),
      ),
    },
    {
      ...common,
      method: 'DELETE',
      path: `${path}/user`,
      statuses: ['OK'],
      summary: 'Removes a user of the dashboard; one that does not exist is no error',
      audit: { what: 'dashboard-user.remove', fields: ['userId', 'email'] },
      ...query(inQuery.dashboardUser, (tenant, input) => dashboard.removeUser(tenant, input)),
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/users`,
      statuses: ['OK'],
      summary: 'Lists the users of the dashboard',
      ...plain((tenant) => dashboard.listUsers(tenant)),
    },
  ];
}

function tenantRoutes(dashboard: DashboardOperations): Route[] {
  return [
    {
      ...common,
      scope: 'tenant',
      needs: ['read'],
      method: 'GET',
      path: `${path}/tenant/core-config`,
      statuses: ['OK'],
      summary: 'Lists the settings of a tenant, with what it inherits',
      ...plain((tenant) => dashboard.coreConfig(tenant)),
    },
  ];
}
