import type { Operations } from '../../operations/operations.ts';
import { body } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';

/** Users of third parties. */
export function thirdPartyRoutes({ thirdParty }: Operations): Route[] {
  return [
    {
      method: 'POST',
      path: '/recipe/signinup',
      scope: 'tenant',
      tag: 'Third party',
      summary: "Signs in, or makes, the user of a third party's id",
      statuses: ['OK', 'EMAIL_CHANGE_NOT_ALLOWED_ERROR', 'SIGN_IN_UP_NOT_ALLOWED'],
      ...body('signInUp', (tenant, input) => thirdParty.signInUp(tenant, input)),
    },
  ];
}
