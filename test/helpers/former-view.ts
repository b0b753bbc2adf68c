/**
 * The answers of 5.4 as older versions of the driver interface show them, and the requests of 5.4 equivalent to their requests
 * for tenants: written from the description of the interface and not from the core's steps, which tests compare with it.
 */
import type { LoginMethod, User } from '../../src/domain/model.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function isBefore(version: string, limit: string): boolean {
  return Number(version) < Number(limit);
}

export function without(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** How users are shown before 4.0, as a whole or as the login method that signed in or fits, and other differences. */
export interface Kind {
  readonly shows?: 'whole' | 'list' | ((method: LoginMethod) => boolean);
  /** Before 5.0 these fields are absent. */
  readonly since50?: readonly string[];
  /** Before 4.0, another status for that of 5.4, or `400` with the reason as text. */
  readonly statuses?: Readonly<Record<string, string>>;
}

/** An answer of HTTP status 200, or the status and the text. */
export type Shown = Fields | readonly [http: number, text: string];

/** @param answer of 5.4 */
export function formerAnswer(version: string, answer: Shown, kind: Kind = {}): Shown {
  if (isRefusal(answer)) return formerRefusal(version, answer);
  if (!isBefore(version, '5.3')) return answer;
  const known = isBefore(version, '5.0') ? without(answer, ...(kind.since50 ?? [])) : answer;
  if (!isBefore(version, '4.0') || kind.shows === 'whole') return eachUser(known, withoutPasskeys);
  const status = kind.statuses?.[String(answer.status)];
  if (status === '400') return [400, String(answer.reason)];
  if (status !== undefined) return { status };
  return ofLoginMethod(known, kind);
}

export function isRefusal(answer: Shown): answer is readonly [number, string] {
  return Array.isArray(answer);
}

function formerRefusal(version: string, [http, text]: readonly [number, string]): Shown {
  return [http, isBefore(version, '4.0') ? text.replace("'recipeUserId'", "'userId'") : text];
}

function eachUser(answer: Fields, change: (user: User) => Fields): Fields {
  const { user, users } = answer as { user?: User; users?: readonly User[] };
  return {
    ...answer,
    ...(user !== undefined && { user: change(user) }),
    ...(users !== undefined && { users: users.map(change) }),
  };
}

function withoutPasskeys(user: User): Fields {
  return without({ ...user }, 'webauthn');
}

function ofLoginMethod(answer: Fields, { shows }: Kind): Fields {
  const { recipeUserId, session, accessToken, ...others } = answer;
  const fits =
    typeof shows === 'function' ? shows : (method: LoginMethod) => method.recipeUserId === recipeUserId;
  const users = eachUser(others, ({ loginMethods }) => {
    if (shows !== 'list') return methodAsUser(loginMethods.find(fits));
    const [oldest] = loginMethods;
    return { recipeId: oldest?.recipeId, user: methodAsUser(oldest) };
  });
  return {
    ...users,
    ...(session !== undefined && { session: without(session as Fields, 'recipeUserId') }),
    ...(accessToken !== undefined && { accessToken: formerToken(accessToken as Fields) }),
  };
}

/** @param method of 5.4 */
export function methodAsUser(method: LoginMethod | undefined): Fields {
  if (method === undefined) throw new Error('no login method fits');
  const { recipeUserId, ...fields } = method;
  return { id: recipeUserId, ...without(fields, 'verified', 'recipeId') };
}

/** An access token as `openToken` reads it. */
export interface OpenToken {
  readonly version: string;
  /** The beginning of the key's id: `d-` for a dynamic one, `s-` for a static one. */
  readonly key: string;
  readonly claims: Fields;
}

export function openToken(token: string): OpenToken {
  const [header, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
  return { version: String(header?.version), key: String(header?.kid).slice(0, 2), claims: claims ?? {} };
}

function formerToken(accessToken: Fields): Fields {
  const { claims, ...token } = accessToken.token as OpenToken;
  return { ...accessToken, token: { ...token, version: '4', claims: without(claims, 'rsub') } };
}

export type Recipe = 'emailPassword' | 'thirdParty' | 'passwordless';

const factorsOf: Readonly<Record<Recipe, readonly string[]>> = {
  emailPassword: ['emailpassword'],
  thirdParty: ['thirdparty'],
  passwordless: ['otp-phone', 'otp-email', 'link-phone', 'link-email'],
};
const recipes = Object.keys(factorsOf) as readonly Recipe[];

/** A tenant as 5.4 shows it. */
export interface Tenant extends Fields {
  readonly firstFactors?: readonly string[];
  readonly requiredSecondaryFactors?: readonly string[];
}

export function isOn(version: string, tenant: Tenant, recipe: Recipe): boolean {
  const { firstFactors, requiredSecondaryFactors = [] } = tenant;
  if (firstFactors === undefined) return true;
  const counted = isBefore(version, '5.0') ? firstFactors : [...firstFactors, ...requiredSecondaryFactors];
  return factorsOf[recipe].some((factor) => counted.includes(factor));
}

/** A tenant as versions before 5.1 show it. */
export function formerTenant(version: string, tenant: Tenant): Fields {
  const on = recipes.filter((recipe) => isOn(version, tenant, recipe));
  const union = on.flatMap((recipe) => factorsOf[recipe]).sort();
  const { firstFactors, requiredSecondaryFactors, ...others } = tenant;
  const isShown =
    firstFactors !== undefined && JSON.stringify([...firstFactors].sort()) !== JSON.stringify(union);
  return {
    ...others,
    ...Object.fromEntries(
      recipes.map((recipe) => [recipe, { ...(others[recipe] ?? {}), enabled: on.includes(recipe) }]),
    ),
    ...(!isBefore(version, '5.0') && isShown && { firstFactors }),
    ...(!isBefore(version, '5.0') && requiredSecondaryFactors !== undefined && { requiredSecondaryFactors }),
  };
}

/** A request for a tenant before 5.1. */
export interface TenantRequest {
  readonly switches: Readonly<Partial<Record<Recipe, boolean>>>;
  readonly firstFactors?: readonly string[] | null;
  readonly requiredSecondaryFactors?: readonly string[] | null;
}

/**
 * The equivalent request of 5.4, or the text that refuses it.
 * @param now as 5.4 shows it; undefined before it exists
 */
export function presentTenantRequest(
  version: string,
  now: Tenant | undefined,
  request: TenantRequest,
): Fields | string {
  const { switches } = request;
  const before: Tenant = now ?? { firstFactors: [] };
  const switched = switchedFactors(before, switches);
  if (isBefore(version, '5.0')) return stated({ firstFactors: switched });
  const after: Tenant = switched === undefined ? before : { ...before, firstFactors: switched };
  const isOnAfter = (recipe: Recipe) => switches[recipe] ?? isOn(version, after, recipe);
  const { firstFactors, requiredSecondaryFactors } = request;
  for (const [name, kind, factors] of [
    ['firstFactors', 'first', firstFactors],
    ['requiredSecondaryFactors', 'required secondary', requiredSecondaryFactors],
  ] as const) {
    if (factors?.length === 0)
      return `${name} cannot be empty. Set null instead to remove all ${kind} factors.`;
    for (const factor of factors ?? []) {
      const off = recipes.find((recipe) => factorsOf[recipe].includes(factor) && !isOnAfter(recipe));
      if (off !== undefined)
        return `Invalid core config: ${name} should not contain '${factor}' because ${off} is disabled for the tenant.`;
    }
  }
  const on = recipes.filter(isOnAfter);
  const all = on.length === recipes.length ? null : on.flatMap((recipe) => factorsOf[recipe]);
  const first = firstFactors === undefined ? switched : (firstFactors ?? all);
  return stated({ firstFactors: first, requiredSecondaryFactors });
}

function stated(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function switchedFactors(before: Tenant, switches: TenantRequest['switches']): readonly string[] | undefined {
  const off = recipes.filter((recipe) => switches[recipe] === false);
  if (before.firstFactors === undefined && off.length === 0) return before.firstFactors;
  const now = before.firstFactors ?? recipes.flatMap((recipe) => factorsOf[recipe]);
  const added = recipes.filter(
    (recipe) => switches[recipe] === true && !factorsOf[recipe].some((factor) => now.includes(factor)),
  );
  return [...now, ...added.flatMap((recipe) => factorsOf[recipe])].filter(
    (factor) => !off.some((recipe) => factorsOf[recipe].includes(factor)),
  );
}
