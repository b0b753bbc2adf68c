import type { Operations } from '../../../operations/operations.ts';
import { body, query } from '../../routing/handlers.ts';
import type { Route } from '../../routing/route.ts';
import { inBody, inQuery } from '../../../schema/validate.ts';

export function mappingRoutes({ mapping }: Operations): Route[] {
  const common = { scope: 'app', tag: 'User ids', needs: ['admin'] } as const;
  return [
    {
      ...common,
      method: 'POST',
      path: '/recipe/userid/map',
      summary: "Maps an external id to a user's own",
      statuses: ['OK', 'UNKNOWN_SUPERTOKENS_USER_ID_ERROR', 'USER_ID_MAPPING_ALREADY_EXISTS_ERROR'],
      audit: { what: 'user.id.map', fields: ['superTokensUserId', 'externalUserId', 'force'] },
      ...body(inBody.mapUserId, (tenant, input) => mapping.create(tenant, input)),
    },
    {
      ...common,
      method: 'GET',
      needs: ['sign-in', 'read'],
      path: '/recipe/userid/map',
      summary: 'Finds a mapping by either id',
      statuses: ['OK', 'UNKNOWN_MAPPING_ERROR'],
      ...query(inQuery.userIdMap, (tenant, input) => mapping.find(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: '/recipe/userid/map/remove',
      summary: 'Removes a mapping',
      statuses: ['OK'],
      audit: { what: 'user.id.unmap', fields: ['userId', 'userIdType', 'force'] },
      ...body(inBody.removeUserIdMap, (tenant, input) => mapping.remove(tenant, input)),
    },
    {
      ...common,
      method: 'PUT',
      path: '/recipe/userid/external-user-id-info',
      summary: 'Changes the text stored with a mapping',
      statuses: ['OK', 'UNKNOWN_MAPPING_ERROR'],
      audit: { what: 'user.id.info', fields: ['userId', 'userIdType'] },
      ...body(inBody.updateExternalUserIdInfo, (tenant, input) => mapping.updateInfo(tenant, input)),
    },
  ];
}
