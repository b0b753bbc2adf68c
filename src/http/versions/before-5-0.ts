import { Refusal } from '../../domain/errors.ts';
import type { Route } from '../routing/route.ts';
import { type Factors, isFirst, recipes, withGuards } from './factors.ts';
import { type Fields, without } from './fields.ts';
import type { VersionStep } from './step.ts';
import { inBody } from '../../schema/validate.ts';

const withoutAttempts = without('currentNumberOfFailedAttempts', 'maxNumberOfFailedAttempts');
const withoutFactors = without('firstFactors', 'requiredSecondaryFactors');

/** 5.0 introduced second factors, and routes of the app that refuse a tenant in their path. */
export const before50: VersionStep = {
  until: '5.0',
  versions: ['4.0'],
  everyRoute: (route: Route) => (route.scope === 'app' ? { ...route, ignoresTenant: true } : route),
  changes: withGuards(isFirst, {
    'POST /recipe/session/refresh': { body: inBody.refreshSessionByKeptKey },
    'POST /recipe/signinup/code/consume': { answer: without('consumedDevice') },
    'POST /recipe/signinup/code/remove': { request: codeAlone },
    'POST /recipe/totp/verify': { answer: withoutAttempts },
    'POST /recipe/totp/device/verify': { answer: withoutAttempts },
    'PUT /recipe/multitenancy/tenant': { request: withoutFactors },
    'GET /recipe/multitenancy/tenant': { answer: byFirstFactors },
    'GET /recipe/multitenancy/tenant/list': {
      answer: (answer) => ({ ...answer, tenants: (answer.tenants as readonly Fields[]).map(byFirstFactors) }),
    },
  }),
};

/** A whole device could not be removed. @throws Refusal INVALID_FIELD */
function codeAlone({ codeId }: Fields): Fields {
  if (typeof codeId === 'string') return { codeId };
  throw new Refusal('INVALID_FIELD', "Field name 'codeId' is invalid in JSON input");
}

/** Defaults for first factors that are left out, from the recipes. */
function byFirstFactors(tenant: Fields): Fields {
  const { firstFactors } = tenant as Factors;
  if (firstFactors === undefined) return withoutFactors(tenant);
  const enabled = recipes.map((recipe) => [
    recipe,
    { ...(tenant[recipe] as object), enabled: isFirst({ firstFactors }, recipe) },
  ]);
  return { ...withoutFactors(tenant), ...(Object.fromEntries(enabled) as Fields) };
}
