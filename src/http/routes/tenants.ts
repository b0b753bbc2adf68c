import type { Operations } from '../../operations/operations.ts';
import { body, plain } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';
import { inBody } from '../../schema/validate.ts';

const common = { scope: 'app', tag: 'Tenants', needs: ['admin'] } as const;

export function tenantRoutes(operations: Operations): Route[] {
  return [
    ...appRoutes(operations),
    ...routesOfTenants(operations),
    ...userRoutes(operations),
    ...providerRoutes(operations),
  ];
}

function appRoutes({ tenants }: Operations): Route[] {
  return [
    {
      ...common,
      method: 'PUT',
      path: '/recipe/multitenancy/app/v2',
      summary: 'Makes or changes an app',
      statuses: ['OK'],
      audit: { what: 'app.put', fields: ['appId', 'coreConfig'] },
      ...body(inBody.putApp, (tenant, input) => tenants.putApp(tenant, input)),
    },
    {
      ...common,
      method: 'GET',
      path: '/recipe/multitenancy/app/list/v2',
      needs: ['read'],
      summary: 'Lists the apps',
      statuses: ['OK'],
      ...plain((tenant) => tenants.listApps(tenant)),
    },
    {
      ...common,
      method: 'POST',
      path: '/recipe/multitenancy/app/remove',
      summary: 'Removes an app and its users',
      statuses: ['OK'],
      audit: { what: 'app.remove', fields: ['appId'] },
      ...body(inBody.removeApp, (tenant, input) => tenants.removeApp(tenant, input)),
    },
  ];
}

function routesOfTenants({ tenants }: Operations): Route[] {
  return [
    {
      ...common,
      method: 'PUT',
      path: '/recipe/multitenancy/tenant/v2',
      summary: 'Makes or changes a tenant',
      statuses: ['OK'],
      audit: { what: 'tenant.put', fields: ['tenantId', 'coreConfig'] },
      ...body(inBody.putTenant, (tenant, input) => tenants.putTenant(tenant, input)),
    },
    {
      method: 'GET',
      path: '/recipe/multitenancy/tenant/v2',
      scope: 'tenant',
      needs: ['sign-in', 'read'],
      tenantMayBeMissing: true,
      tag: common.tag,
      summary: 'Gets the tenant that the path names',
      statuses: ['OK', 'TENANT_NOT_FOUND_ERROR'],
      handle: ({ names }) => tenants.getTenant(names),
    },
    {
      ...common,
      method: 'GET',
      path: '/recipe/multitenancy/tenant/list/v2',
      needs: ['read'],
      summary: "Lists the app's tenants",
      statuses: ['OK'],
      ...plain((tenant) => tenants.listTenants(tenant)),
    },
    {
      ...common,
      method: 'POST',
      path: '/recipe/multitenancy/tenant/remove',
      summary: 'Removes a tenant and its users',
      statuses: ['OK'],
      audit: { what: 'tenant.remove', fields: ['tenantId'] },
      ...body(inBody.removeTenant, (tenant, input) => tenants.removeTenant(tenant, input)),
    },
  ];
}

/** Tenants in which login methods may sign in. */
function userRoutes({ tenants }: Operations): Route[] {
  const ofTenant = { ...common, method: 'POST', scope: 'tenant' } as const;
  const path = '/recipe/multitenancy/tenant/user';
  return [
    {
      ...ofTenant,
      path,
      summary: 'Adds a login method to the tenant; it stays in its others',
      statuses: [
        'OK',
        'UNKNOWN_USER_ID_ERROR',
        'EMAIL_ALREADY_EXISTS_ERROR',
        'PHONE_NUMBER_ALREADY_EXISTS_ERROR',
        'THIRD_PARTY_USER_ALREADY_EXISTS_ERROR',
        'ASSOCIATION_NOT_ALLOWED_ERROR',
      ],
      audit: { what: 'tenant.user.add', fields: ['recipeUserId'] },
      ...body(inBody.tenantUser, (tenant, input) => tenants.addUser(tenant, input)),
    },
    {
      ...ofTenant,
      path: `${path}/remove`,
      summary: 'Takes a login method out of the tenant, with its sessions, tokens and roles there',
      statuses: ['OK', 'UNKNOWN_USER_ID_ERROR'],
      audit: { what: 'tenant.user.remove', fields: ['recipeUserId'] },
      ...body(inBody.tenantUser, (tenant, input) => tenants.removeUser(tenant, input)),
    },
  ];
}

function providerRoutes({ providers }: Operations): Route[] {
  const ofTenant = { ...common, scope: 'tenant', statuses: ['OK'] } as const;
  const path = '/recipe/multitenancy/config/thirdparty';
  return [
    {
      ...ofTenant,
      method: 'PUT',
      path,
      summary: 'Makes a provider of the tenant, or replaces it',
      audit: { what: 'provider.put' },
      ...body(inBody.putProvider, (tenant, input, { act }) => {
        act?.report({ thirdPartyId: String(input.config.thirdPartyId) });
        return providers.put(tenant, input);
      }),
    },
    {
      ...ofTenant,
      method: 'POST',
      path: `${path}/remove`,
      summary: 'Removes a provider of the tenant',
      audit: { what: 'provider.remove', fields: ['thirdPartyId'] },
      ...body(inBody.removeProvider, (tenant, input) => providers.remove(tenant, input)),
    },
  ];
}
