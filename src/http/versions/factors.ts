/** Factors of tenants as before 5.1: three recipes that are on or off. Pure functions. */
import { Refusal } from '../../domain/errors.ts';
import type { RouteChange } from './step.ts';

/** Of a tenant in the present version; absent first factors: all. */
export interface Factors {
  readonly firstFactors?: readonly string[];
  readonly requiredSecondaryFactors?: readonly string[];
}

export const recipes = ['emailPassword', 'thirdParty', 'passwordless'] as const;
export type Recipe = (typeof recipes)[number];

const factorsOf: Readonly<Record<Recipe, readonly string[]>> = {
  emailPassword: ['emailpassword'],
  thirdParty: ['thirdparty'],
  passwordless: ['otp-phone', 'otp-email', 'link-phone', 'link-email'],
};
const all = recipes.flatMap((recipe) => factorsOf[recipe]);

/** @returns undefined for a factor of another recipe */
function recipeOf(factor: string): Recipe | undefined {
  return recipes.find((recipe) => factorsOf[recipe].includes(factor));
}

function holdsAny(factors: readonly string[], recipe: Recipe): boolean {
  return factorsOf[recipe].some((factor) => factors.includes(factor));
}

/** Considers first factors only, as 4.0 and older. */
export function isFirst({ firstFactors }: Factors, recipe: Recipe): boolean {
  return firstFactors === undefined || holdsAny(firstFactors, recipe);
}

/** Considers second factors too, as 5.0. */
export function isOn(factors: Factors, recipe: Recipe): boolean {
  return isFirst(factors, recipe) || holdsAny(factors.requiredSecondaryFactors ?? [], recipe);
}

/**
 * Whether the first factors equal the enabled recipes: then 5.0 hides them, because its SDK would prefer them to its own list.
 */
export function isUnion(factors: Factors): boolean {
  const { firstFactors } = factors;
  if (firstFactors === undefined) return true;
  const union = recipes.filter((recipe) => isOn(factors, recipe)).flatMap((recipe) => factorsOf[recipe]);
  return isSame(firstFactors, union);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).symmetricDifference(new Set(other)).size === 0;
}

const shownNames: Readonly<Record<Recipe, string>> = {
  emailPassword: 'Email password',
  thirdParty: 'ThirdParty',
  passwordless: 'Passwordless',
};

/** @throws Refusal RECIPE_DISABLED */
export function requireEnabled(tenant: Factors, recipe: Recipe, isEnabled: typeof isOn): void {
  if (!isEnabled(tenant, recipe))
    throw new Refusal('RECIPE_DISABLED', `${shownNames[recipe]} login not enabled for tenant`);
}

const guarded: Readonly<Record<Recipe, readonly string[]>> = {
  emailPassword: [
    '/recipe/signup',
    '/recipe/signin',
    '/recipe/user/passwordhash/import',
    '/recipe/user/password/reset/token',
  ],
  thirdParty: ['/recipe/signinup'],
  passwordless: ['/recipe/signinup/code', '/recipe/signinup/code/check', '/recipe/signinup/code/consume'],
};

/** Adds to the changes that routes refuse tenants whose recipe is disabled. */
export function withGuards(
  isEnabled: typeof isOn,
  changes: Readonly<Record<string, RouteChange>>,
): Readonly<Record<string, RouteChange>> {
  const guards = recipes.flatMap((recipe) => {
    const guard: RouteChange['guard'] = (tenant) => {
      requireEnabled(tenant, recipe, isEnabled);
    };
    return guarded[recipe].map((path) => [`POST ${path}`, { ...changes[`POST ${path}`], guard }] as const);
  });
  return { ...changes, ...Object.fromEntries(guards) };
}

/** Recipes that a request enables or disables; the others stay. */
export type Switches = Readonly<Partial<Record<Recipe, boolean>>>;

/** The first factors after the change; undefined if unchanged. */
export function switched(now: Factors, switches: Switches): readonly string[] | undefined {
  const isOff = recipes.some((recipe) => switches[recipe] === false);
  if (now.firstFactors === undefined && !isOff) return undefined;
  const added = recipes.filter((recipe) => switches[recipe] === true && !isFirst(now, recipe));
  const removed = recipes
    .filter((recipe) => switches[recipe] === false)
    .flatMap((recipe) => factorsOf[recipe]);
  const before = now.firstFactors ?? all;
  return [...before, ...added.flatMap((recipe) => factorsOf[recipe])].filter(
    (factor) => !removed.includes(factor),
  );
}

/** Stated by a request of 5.0 in addition to the recipes; null removes. */
export interface StatedFactors {
  readonly firstFactors?: readonly string[] | null | undefined;
  readonly requiredSecondaryFactors?: readonly string[] | null | undefined;
}

interface FactorsToSet {
  readonly firstFactors?: readonly string[] | null;
  readonly requiredSecondaryFactors?: readonly string[] | null;
}

/** @throws Refusal INVALID_FIELD for an empty list, INVALID_CORE_CONFIG for a factor of a disabled recipe */
export function factorsToSet(now: Factors, switches: Switches, stated: StatedFactors): FactorsToSet {
  const bySwitches = switched(now, switches);
  const first = bySwitches ?? now.firstFactors;
  const after: Factors = { ...now, ...(first !== undefined && { firstFactors: first }) };
  for (const field of ['firstFactors', 'requiredSecondaryFactors'] as const)
    requireOn(field, stated[field] ?? undefined, after, switches);
  const { firstFactors, requiredSecondaryFactors } = stated;
  return {
    ...(firstFactors === undefined
      ? bySwitches && { firstFactors: bySwitches }
      : { firstFactors: firstFactors ?? unionOf(after, switches) }),
    ...(requiredSecondaryFactors !== undefined && { requiredSecondaryFactors }),
  };
}

function isOnAfter(after: Factors, switches: Switches, recipe: Recipe): boolean {
  return switches[recipe] ?? isOn(after, recipe);
}

function unionOf(after: Factors, switches: Switches): readonly string[] | null {
  const on = recipes.filter((recipe) => isOnAfter(after, switches, recipe));
  return on.length === recipes.length ? null : on.flatMap((recipe) => factorsOf[recipe]);
}

function requireOn(
  field: 'firstFactors' | 'requiredSecondaryFactors',
  factors: readonly string[] | undefined,
  after: Factors,
  switches: Switches,
): void {
  if (factors === undefined) return;
  const kind = field === 'firstFactors' ? 'first' : 'required secondary';
  if (factors.length === 0)
    throw new Refusal(
      'INVALID_FIELD',
      `${field} cannot be empty. Set null instead to remove all ${kind} factors.`,
    );
  for (const factor of factors) {
    const recipe = recipeOf(factor);
    if (recipe !== undefined && !isOnAfter(after, switches, recipe))
      throw new Refusal(
        'INVALID_CORE_CONFIG',
        `Invalid core config: ${field} should not contain '${factor}' because ${recipe} is disabled for the tenant.`,
      );
  }
}
