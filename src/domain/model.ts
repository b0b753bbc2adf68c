/** Types that all layers share; importing this file runs nothing. */
import type { Reach } from './access/reach.ts';

export type RecipeId = 'emailpassword' | 'thirdparty' | 'passwordless';

export interface ThirdPartyId {
  readonly id: string;
  readonly userId: string;
}

/** One way for a user to sign in. Optional fields are absent, never null. Times in ms since the epoch. */
export interface LoginMethod {
  readonly recipeId: RecipeId;
  /** The external id if one is mapped, else the core's UUID. */
  readonly recipeUserId: string;
  readonly tenantIds: readonly string[];
  readonly timeJoined: number;
  readonly verified: boolean;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly thirdParty?: ThirdPartyId;
}

/** The user object of the protocol. `loginMethods` is sorted by `timeJoined`; the user's own is the minimum. */
export interface User {
  readonly id: string;
  readonly isPrimaryUser: boolean;
  readonly tenantIds: readonly string[];
  readonly timeJoined: number;
  readonly emails: readonly string[];
  readonly phoneNumbers: readonly string[];
  readonly thirdParty: readonly ThirdPartyId[];
  readonly webauthn: { readonly credentialIds: readonly string[] };
  readonly loginMethods: readonly LoginMethod[];
}

/** Maximum costs of imported hashes; each is raised by the setting of the same name in snake case. */
export interface HashLimits {
  /** log2 of the rounds */
  readonly bcryptMaxCost: number;
  /** KiB */
  readonly argon2MaxMemoryKb: number;
  readonly argon2MaxIterations: number;
  readonly argon2MaxParallelism: number;
  /** MiB of 128 · N · r · p */
  readonly scryptMaxMemoryMb: number;
  readonly scryptMaxParallelism: number;
  /** Iterations times blocks of the derived key */
  readonly pbkdf2MaxIterations: number;
  readonly cryptMaxRounds: number;
  /** log2 of the rounds */
  readonly phpassMaxLogRounds: number;
  readonly digestMaxIterations: number;
}

/** How new passwords are hashed; imported hashes stay as they are. */
export type HashPolicy =
  | {
      readonly algorithm: 'ARGON2';
      /** KiB */
      readonly memoryKb: number;
      readonly iterations: number;
      readonly parallelism: number;
    }
  | {
      readonly algorithm: 'BCRYPT';
      /** log2 of the rounds */
      readonly logRounds: number;
      /** Prefix of hashes, for systems that read only one. Default `2b`. */
      readonly prefix?: BcryptPrefix;
    };

/** `2b` as OpenBSD, Python and Ruby write it; `2y` as PHP does, which does not recognise `2b` (password_get_info). */
export const bcryptPrefixes = ['2b', '2y'] as const;
export type BcryptPrefix = (typeof bcryptPrefixes)[number];

/** Wrong passwords before further attempts are slowed down; 0 for no limit. */
export interface GuessLimits {
  /** From one address for one account. */
  readonly perAccount: number;
  /** From one address for all accounts together. */
  readonly perAddress: number;
}

/** The protocol of an old system; see config/legacy/dialects.ts. */
export type LegacyDialect =
  | 'kratos'
  | 'okta'
  | 'keycloak-migration'
  | 'fusionauth'
  | 'auth0'
  | 'keycloak'
  | 'cognito'
  | 'firebase'
  | 'b2c'
  | 'entra'
  | 'ldap'
  | 'http';

/** An old system that checks passwords of users without a hash. */
export interface LegacySource {
  readonly name: string;
  readonly speaks: LegacyDialect;
  readonly url: string;
  /** Further settings of the dialect by name, including secrets. */
  readonly options: Readonly<Record<string, string>>;
  /** PEM of the CA of its certificate; undefined: the system's CAs. */
  readonly ca: string | undefined;
  readonly reach: Reach;
  readonly timeoutMs: number;
  readonly maxInFlight: number;
  /** Maximum time that a question waits for its turn. */
  readonly waitMs: number;
  /** Whether it is asked about emails that are unknown here. */
  readonly asksUnknown: boolean;
  /** It is not asked from then on; ms since the epoch. */
  readonly until: number;
  /** Whether the id in its answer becomes the external id, and the prefix of that. */
  readonly keepsIds: boolean;
  readonly idPrefix: string;
}

interface AnySessionSource {
  readonly name: string;
  readonly reach: Reach;
  /** It is closed from then on; ms since the epoch. */
  readonly until: number;
  readonly maxAgeMs: number;
  /** Whether expired tokens within `maxAgeMs` are accepted. */
  readonly acceptsExpired: boolean;
  readonly acceptsUndated: boolean;
  readonly skewMs: number;
}

/** Public keys of the old system, or where they are; pinned keys work without it. */
export type TokenKeys =
  | { readonly from: 'url'; readonly url: string; readonly ca: string | undefined }
  | { readonly from: 'pinned'; readonly keys: readonly Readonly<Record<string, unknown>>[] }
  | { readonly from: 'secret'; readonly secret: string };

export type JwtProfile =
  | 'auth0'
  | 'firebase'
  | 'firebase-cookie'
  | 'cognito'
  | 'supabase'
  | 'clerk'
  | 'keycloak'
  | 'entra'
  | 'supertokens'
  | 'better-auth'
  | 'none';

export interface JwtRules {
  readonly profile: JwtProfile;
  readonly issuers: readonly string[];
  /** Undefined for systems whose tokens name no audience. */
  readonly audiences: readonly string[] | undefined;
  /** Claims that may name the audience; the first in a token counts. */
  readonly audienceClaims: readonly string[];
  /** As JOSE spells them. */
  readonly algorithms: readonly string[];
  readonly keys: TokenKeys;
  readonly userId: string;
}

export interface JwtSource extends AnySessionSource, JwtRules {
  readonly speaks: 'jwt';
}

/** Cookies that Auth.js encrypts; the keys are derived from `secrets` and the cookies' names. */
export interface AuthJsSource extends AnySessionSource {
  readonly speaks: 'authjs';
  readonly secrets: readonly string[];
  readonly cookies: readonly string[];
  readonly userId: string;
}

export type CookieFramework = 'cookie-session' | 'django' | 'rails';

/** Cookies that hold the session itself, signed or encrypted by the application's secret. */
export interface SignedCookieSource extends AnySessionSource {
  readonly speaks: 'signed-cookie';
  readonly framework: CookieFramework;
  readonly secrets: readonly string[];
  readonly cookie: string;
  /** Where the session has the user's id and, if it does, its start. */
  readonly userId: string;
  readonly issuedAt: string | undefined;
}

/** Cookies sealed with APP_KEY that hold the id of a session or a remember token; digests of both were imported. */
export interface LaravelSource extends AnySessionSource {
  readonly speaks: 'signed-cookie';
  readonly framework: 'laravel';
  readonly keys: readonly Buffer[];
  readonly cookie: string;
}

/** Cookies of express-session, which hold a signed id; digests of the ids were imported. */
export interface ExpressSessionSource extends AnySessionSource {
  readonly speaks: 'signed-cookie';
  readonly framework: 'express-session';
  readonly secrets: readonly string[];
  readonly cookie: string;
}

/** Tokens that only the old system can read; digests of them were imported. */
export interface OpaqueSource extends AnySessionSource {
  readonly speaks: 'opaque';
}

/** Refresh tokens, redeemed at the old system's token endpoint for a JWT that these rules check. */
export interface RefreshSource extends AnySessionSource, JwtRules {
  readonly speaks: 'refresh';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly ca: string | undefined;
}

export type SessionSource =
  | JwtSource
  | AuthJsSource
  | SignedCookieSource
  | LaravelSource
  | ExpressSessionSource
  | OpaqueSource
  | RefreshSource;

/** Settings of a tenant, resolved: the core's configuration, then the app's, then the tenant's. */
export interface TenantSettings {
  /** Raw bytes of the scrypt variant's signer key. */
  readonly signerKey: Buffer | undefined;
  readonly apiKeys?: { readonly matches: (key: string) => boolean };
  /** Keys that may ask about passwords by hooks; absent: none may. */
  readonly hookKeys?: { readonly matches: (key: string) => boolean };
  /** Asked for users without a hash; absent: none. */
  readonly legacySources?: readonly LegacySource[];
  /** Whether a password change ends all sessions of the user. */
  readonly endSessionsOnPasswordChange: boolean;
  /** Appended by the old system to passwords before bcrypt; used for hashes imported as such. UTF-8. */
  readonly pepper: Buffer | undefined;
  readonly emailVerificationTokenLifetimeMs: number;
  readonly accessTokenValidityMs: number;
  readonly refreshTokenValidityMs: number;
  readonly signingKeyIntervalMs: number;
  readonly passwordResetTokenLifetimeMs: number;
  /** Wrong one-time codes in a row that are checked, and the wait after them. */
  readonly totpMaxAttempts: number;
  readonly totpCooldownMs: number;
  readonly passwordlessCodeLifetimeMs: number;
  /** Number of the wrong code with which a device ends. */
  readonly passwordlessMaxAttempts: number;
  readonly hashLimits: HashLimits;
  /** Sources whose sessions are carried over; absent: none. */
  readonly sessionSources?: readonly SessionSource[];
}

/** An existing tenant, as a request sees it. The numbers are the database's surrogates for the two names. */
export interface Tenant {
  readonly appId: string;
  readonly tenantId: string;
  readonly appNo: number;
  readonly tenantNo: number;
  readonly settings: TenantSettings;
  /** Allowed first factors, see TenantFactors; absent: all that the SDK supports. */
  readonly firstFactors?: readonly string[];
  readonly requiredSecondaryFactors?: readonly string[];
}

/** A user's activity is recorded once in each interval of this length, ms. */
export const activityStepMs = 300_000;
