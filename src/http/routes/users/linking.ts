import type { Operations } from '../../../operations/operations.ts';
import { body, query } from '../../routing/handlers.ts';
import type { Route } from '../../routing/route.ts';
import { inBody, inQuery } from '../../../schema/validate.ts';

const common = { scope: 'app', tag: 'Linked users', needs: ['sign-in', 'admin'] } as const;
const taken = 'ACCOUNT_INFO_ALREADY_ASSOCIATED_WITH_ANOTHER_PRIMARY_USER_ID_ERROR';
const ofPrimary = ['OK', 'RECIPE_USER_ID_ALREADY_LINKED_WITH_PRIMARY_USER_ID_ERROR', taken] as const;
const ofLink = [
  'OK',
  'RECIPE_USER_ID_ALREADY_LINKED_WITH_ANOTHER_PRIMARY_USER_ID_ERROR',
  taken,
  'INPUT_USER_IS_NOT_A_PRIMARY_USER',
] as const;

export function linkingRoutes({ linking }: Operations): Route[] {
  const path = '/recipe/accountlinking/user';
  return [
    {
      ...common,
      method: 'GET',
      path: `${path}/primary/check`,
      statuses: ofPrimary,
      summary: 'Checks whether a user may become a primary one',
      ...query(inQuery.primaryCheck, (tenant, input) => linking.mayBePrimary(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/primary`,
      statuses: ofPrimary,
      summary: 'Makes a user a primary one, to which others may be linked',
      audit: { what: 'user.primary', when: 'hourly' },
      ...body(inBody.recipeUser, (tenant, input) => linking.makePrimary(tenant, input)),
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/link/check`,
      statuses: ofLink,
      summary: 'Checks whether a user may be linked to a primary one',
      ...query(inQuery.linkCheck, (tenant, input) => linking.mayLink(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/link`,
      statuses: ofLink,
      summary: 'Links a user to a primary one',
      audit: { what: 'user.link', fields: ['recipeUserId', 'primaryUserId'] },
      ...body(inBody.linkUsers, (tenant, input) => linking.link(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/unlink`,
      statuses: ['OK'],
      summary: 'Takes a login method from its user; that of a head is removed where others are left',
      audit: { what: 'user.unlink', fields: ['recipeUserId'] },
      ...body(inBody.recipeUser, (tenant, input) => linking.unlink(tenant, input)),
    },
  ];
}
