import type { Operations } from '../../../operations/operations.ts';
import { body, query } from '../../routing/handlers.ts';
import type { Route } from '../../routing/route.ts';
import { inBody, inQuery } from '../../../schema/validate.ts';

export function verificationRoutes({ verification }: Operations): Route[] {
  const tag = 'Email verification';
  const needs = ['sign-in'] as const;
  return [
    {
      method: 'POST',
      path: '/recipe/user/email/verify/token',
      scope: 'tenant',
      needs,
      tag,
      summary: 'Makes a token that proves an email',
      statuses: ['OK', 'EMAIL_ALREADY_VERIFIED_ERROR'],
      audit: { what: 'email.verify-token', when: 'hourly' },
      ...body(inBody.createVerificationToken, (tenant, input) => verification.createToken(tenant, input)),
    },
    {
      method: 'POST',
      path: '/recipe/user/email/verify',
      scope: 'tenant',
      needs,
      tag,
      summary: 'Spends such a token, once',
      statuses: ['OK', 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR'],
      audit: { what: 'email.verify', when: 'hourly' },
      ...body(inBody.redeemVerificationToken, (tenant, input) => verification.redeem(tenant, input)),
    },
    {
      method: 'GET',
      path: '/recipe/user/email/verify',
      scope: 'app',
      needs,
      tag,
      summary: 'Returns whether an email is verified for a user id',
      statuses: ['OK'],
      ...query(inQuery.verification, (tenant, input) => verification.isVerified(tenant, input)),
    },
    {
      method: 'POST',
      path: '/recipe/user/email/verify/remove',
      scope: 'app',
      needs,
      tag,
      summary: 'Makes an email unverified',
      statuses: ['OK'],
      audit: { what: 'email.unverify', when: 'hourly' },
      ...body(inBody.verificationPair, (tenant, input) => verification.unverify(tenant, input)),
    },
    {
      method: 'POST',
      path: '/recipe/user/email/verify/token/remove',
      scope: 'tenant',
      needs,
      tag,
      summary: 'Revokes the tokens of a user id and an email',
      statuses: ['OK'],
      unaudited: 'only revokes tokens that were made before',
      ...body(inBody.verificationPair, (tenant, input) => verification.removeTokens(tenant, input)),
    },
  ];
}
