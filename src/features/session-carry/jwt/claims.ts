import type { JwtProfile, JwtRules } from '../../../domain/model.ts';
import { CarryRefused } from '../refused.ts';
import { type OpenedToken, userIdOf } from '../opened-token.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** @throws CarryRefused */
export function openClaims(
  claims: Claims,
  rules: JwtRules,
  clock: { readonly now: number; readonly skewMs: number },
): Omit<OpenedToken, 'fingerprint'> {
  if (typeof claims.iss !== 'string' || !rules.issuers.includes(claims.iss)) throw new CarryRefused('issuer');
  requireAudience(claims, rules);
  const begins = timeOf(claims.nbf);
  if (begins !== undefined && begins > clock.now + clock.skewMs) throw new CarryRefused('not-yet-valid');
  if (!isOfSession(claims, rules.profile)) throw new CarryRefused('not-of-a-session');
  return {
    userId: userIdOf(at(claims, rules.userId)),
    issuedAt: timeOf(claims.iat),
    expiresAt: timeOf(claims.exp),
    authTime: authTimeOf(claims, rules.profile),
    amr: amrOf(claims, rules.profile),
  };
}

/** Only the first of these claims that the token has counts, even if it is empty. */
function requireAudience(claims: Claims, { audiences, audienceClaims }: JwtRules): void {
  if (audiences === undefined) return;
  const named = audienceClaims.map((name) => claims[name]).find((value) => value !== undefined);
  const list: readonly unknown[] = Array.isArray(named) ? named : [named];
  if (!list.some((each) => typeof each === 'string' && audiences.includes(each)))
    throw new CarryRefused('audience');
}

/** Finds a claim by its whole name, which may be a URL (Auth0), else by its path: `user.id`. */
function at(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, key) => fieldsOf(value)[key], claims);
}

function fieldsOf(value: unknown): Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : {};
}

/** Converts s since the epoch to ms. */
function timeOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > 1e12)
    throw new CarryRefused('malformed-time');
  return Math.floor(value * 1000);
}

/** Claims that show that a token is for something else than a session, and their values in that case. */
const useClaims = ['typ', 'type', 'token_type', 'token_use', 'purpose', 'use'];
const otherUse = /refresh|offline|logout|reset|verif|confirm|invit|magic|action|recover|challenge/i;

/** Logout tokens and other events (RFC 8417) have `events`, tokens of machines their grant. */
function hasOtherUse(claims: Claims): boolean {
  if (claims.events !== undefined || claims.gty === 'client-credentials') return true;
  return useClaims.some((name) => typeof claims[name] === 'string' && otherUse.test(claims[name]));
}

/** Tokens of the same issuer and key that are not a person's session. */
function isOfSession(claims: Claims, profile: JwtProfile): boolean {
  if (hasOtherUse(claims)) return false;
  const tests: Partial<Record<JwtProfile, () => boolean>> = {
    firebase: () => isFirebase(claims),
    cognito: () => claims.token_use === 'id' || claims.token_use === 'access',
    supabase: () => claims.role === 'authenticated' && claims.is_anonymous !== true,
    // A sign-in that waits for something, such as an organization.
    clerk: () => claims.sts === undefined || claims.sts === 'active',
    keycloak: () => claims.typ === 'Bearer' || claims.typ === 'ID',
    entra: () => claims.idtyp !== 'app',
    supertokens: () => typeof claims.sessionHandle === 'string',
  };
  return tests[profile]?.() ?? true;
}

/** Its tokens of users name how the user signed in. */
function isFirebase({ firebase }: Claims): boolean {
  return typeof fieldsOf(firebase).sign_in_provider === 'string';
}

function authTimeOf(claims: Claims, profile: JwtProfile): number | undefined {
  if (profile !== 'supabase') return timeOf(claims.auth_time);
  const times = stepsOf(claims).map(({ timestamp }) => timeOf(timestamp) ?? Infinity);
  const first = Math.min(...times);
  return first === Infinity ? undefined : first;
}

/** Supabase lists the steps of a sign-in, each with its time. */
function stepsOf({ amr }: Claims): readonly Claims[] {
  return Array.isArray(amr) ? amr.map(fieldsOf) : [];
}

function amrOf(claims: Claims, profile: JwtProfile): readonly string[] | undefined {
  const methods = methodsOf(claims, profile);
  return methods.length === 0 ? undefined : methods;
}

function methodsOf(claims: Claims, profile: JwtProfile): readonly string[] {
  if (profile === 'supabase') return texts(stepsOf(claims).map(({ method }) => method));
  if (profile === 'supertokens') return Object.keys(fieldsOf(fieldsOf(claims['st-mfa']).c));
  if (profile === 'firebase' || profile === 'firebase-cookie') {
    const { sign_in_provider: first, sign_in_second_factor: second } = fieldsOf(claims.firebase);
    return texts([first, second, second === undefined ? undefined : 'mfa']);
  }
  // Minutes since each factor was verified, -1 for never.
  if (profile === 'clerk' && Array.isArray(claims.fva)) return Number(claims.fva[1]) >= 0 ? ['mfa'] : [];
  return texts(Array.isArray(claims.amr) ? claims.amr : []);
}

function texts(values: readonly unknown[]): readonly string[] {
  return values
    .filter((value): value is string => typeof value === 'string' && value.length <= 64)
    .slice(0, 20);
}
