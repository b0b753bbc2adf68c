import { Refusal } from '../../domain/errors.ts';
import type { Operations } from '../../operations/operations.ts';
import { body, plain } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';
import { type Factors, factorsToSet, isOn, isUnion, recipes, withGuards } from './factors.ts';
import type { Fields } from './fields.ts';
import type { VersionStep } from './step.ts';
import { inBody } from '../../schema/validate.ts';

/**
 * Since 5.1 SDKs decide which ways to sign in a tenant offers; before, the core refused disabled ones, and tenants had three
 * recipes to enable or disable, with separate routes.
 */
export const before51: VersionStep = {
  until: '5.1',
  versions: ['5.0'],
  changes: withGuards(isOn, {}),
  routes: tenantRoutes,
};

function tenantRoutes({ tenants }: Operations): Route[] {
  const path = '/recipe/multitenancy/tenant';
  const tag = 'Tenants';
  return [
    {
      method: 'PUT',
      path,
      scope: 'app',
      needs: ['admin'],
      tag,
      statuses: ['OK'],
      summary: 'Makes or changes a tenant, whose recipes are on or off',
      audit: { what: 'tenant.put', fields: ['tenantId', 'coreConfig'] },
      ...body(inBody.putFormerTenant, (tenant, input) => {
        const { tenantId = 'public', coreConfig, firstFactors, requiredSecondaryFactors } = input;
        const switches = {
          ...(input.emailPasswordEnabled !== undefined && { emailPassword: input.emailPasswordEnabled }),
          ...(input.thirdPartyEnabled !== undefined && { thirdParty: input.thirdPartyEnabled }),
          ...(input.passwordlessEnabled !== undefined && { passwordless: input.passwordlessEnabled }),
        };
        const stated = { firstFactors, requiredSecondaryFactors };
        return tenants.putTenantBy(tenant, { tenantId, coreConfig }, (now) =>
          factorsToSet(now, switches, stated),
        );
      }),
    },
    {
      method: 'GET',
      path,
      scope: 'tenant',
      needs: ['sign-in', 'read'],
      tag,
      statuses: ['OK', 'TENANT_NOT_FOUND_ERROR'],
      tenantMayBeMissing: true,
      summary: 'Gets the tenant that the path names, with the recipes that are on',
      handle: async ({ names }) => {
        const found = await tenants.getTenant(names);
        return found.status === 'OK' ? withRecipes(found) : found;
      },
    },
    {
      method: 'GET',
      path: `${path}/list`,
      scope: 'tenant',
      needs: ['read'],
      tag,
      statuses: ['OK'],
      summary: "Lists the app's tenants, with the recipes that are on",
      ...plain(async (tenant) => {
        if (tenant.tenantId !== 'public')
          throw new Refusal(
            'APP_SPECIFIC_API',
            'Only the public tenantId is allowed to list all tenants associated with this app',
          );
        const { tenants: all } = await tenants.listTenants(tenant);
        return { status: 'OK', tenants: all.map(withRecipes) };
      }),
    },
  ];
}

function withRecipes(tenant: Factors & { readonly thirdParty: object }): Fields {
  const { firstFactors, thirdParty, ...others } = tenant;
  const enabled = Object.fromEntries(recipes.map((recipe) => [recipe, { enabled: isOn(tenant, recipe) }]));
  return {
    ...others,
    ...enabled,
    thirdParty: { ...enabled.thirdParty, ...thirdParty },
    ...(!isUnion(tenant) && { firstFactors }),
  };
}
