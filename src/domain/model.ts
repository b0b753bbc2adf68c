/** The nouns that every layer shares. Types only: importing this file runs nothing. */
import type { Reach } from './access/reach.ts';

/** Which recipe a login method belongs to, as the protocol spells it. */
export type RecipeId = 'emailpassword' | 'thirdparty' | 'passwordless';

export interface ThirdPartyId {
  readonly id: string;
  readonly userId: string;
}

/** One way for a user to sign in. Optional fields are absent, never null. Times in ms since the epoch. */
export interface LoginMethod {
  readonly recipeId: RecipeId;
  /** External id where one is mapped, else the core's own UUID. */
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

/** Ceilings for the cost of imported hashes; the setting that raises each has the same name in snake case. */
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
  /** Of iterations times blocks of the derived key */
  readonly pbkdf2MaxIterations: number;
  readonly cryptMaxRounds: number;
  /** log2 of the rounds */
  readonly phpassMaxLogRounds: number;
  readonly digestMaxIterations: number;
}

/** How passwords that are set here are hashed; imported hashes keep their own form. */
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
      /** How hashes begin, for systems that read one of them alone. Left out: `2b`. */
      readonly prefix?: BcryptPrefix;
    };

/** `2b` as OpenBSD, Python and Ruby write it; `2y` as PHP does, for which `2b` is not bcrypt (password_get_info). */
export const bcryptPrefixes = ['2b', '2y'] as const;
export type BcryptPrefix = (typeof bcryptPrefixes)[number];

/** Wrong passwords that are taken before a guesser is slowed down; 0 for no limit. */
export interface GuessLimits {
  /** From one address at one account. */
  readonly perAccount: number;
  /** From one address at all accounts together. */
  readonly perAddress: number;
}

/** How an old system is spoken to; see config/legacy/dialects.ts. */
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

/** An old system that is asked about passwords of users whose hash could not be had. */
export interface LegacySource {
  /** What records call it. */
  readonly name: string;
  readonly speaks: LegacyDialect;
  readonly url: string;
  /** What the dialect needs in addition to the URL, secrets among them, by the names of the settings. */
  readonly options: Readonly<Record<string, string>>;
  /** PEM of the authority that signed its certificate; undefined for those that the system trusts. */
  readonly ca: string | undefined;
  /** Which addresses its URL may lead to. */
  readonly reach: Reach;
  readonly timeoutMs: number;
  readonly maxInFlight: number;
  /** How long a question may wait for its turn. */
  readonly waitMs: number;
  /** Whether it is asked about emails that no user has here. */
  readonly asksUnknown: boolean;
  /** When the door closes, ms since the epoch. */
  readonly until: number;
  /** Whether the id that it answers becomes the external id, and its prefix then. */
  readonly keepsIds: boolean;
  readonly idPrefix: string;
}

/** What every source of sessions of an old system says; see config/sources. */
interface AnySessionSource {
  readonly name: string;
  /** Which addresses its URLs may lead to. */
  readonly reach: Reach;
  /** From then on it is closed; ms since the epoch. */
  readonly until: number;
  /** How old a token may be. */
  readonly maxAgeMs: number;
  /** Whether a token is taken that has expired, and is not older than that. */
  readonly acceptsExpired: boolean;
  /** Whether a token is taken that does not say when it was made. */
  readonly acceptsUndated: boolean;
  /** How far the old system's clock may be off. */
  readonly skewMs: number;
}

/** Where the public keys of the old system are, or the keys themselves: so that it may be gone. */
export type TokenKeys =
  | { readonly from: 'url'; readonly url: string; readonly ca: string | undefined }
  /** JWKs. */
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
  /** Undefined for systems whose tokens name none. */
  readonly audiences: readonly string[] | undefined;
  /** Claims that name the audience: the first that a token has counts. */
  readonly audienceClaims: readonly string[];
  /** As JOSE spells them. */
  readonly algorithms: readonly string[];
  readonly keys: TokenKeys;
  /** The claim that holds the user's id. */
  readonly userId: string;
}

export interface JwtSource extends AnySessionSource, JwtRules {
  readonly speaks: 'jwt';
}

/** Cookies that Auth.js encrypts: `secrets` and the cookies' names make the keys. */
export interface AuthJsSource extends AnySessionSource {
  readonly speaks: 'authjs';
  readonly secrets: readonly string[];
  readonly cookies: readonly string[];
  readonly userId: string;
}

/** Frameworks whose cookie holds the session itself. */
export type CookieFramework = 'cookie-session' | 'django' | 'rails';

/** Cookies that hold the session itself, signed or encrypted by the application's secret. */
export interface SignedCookieSource extends AnySessionSource {
  readonly speaks: 'signed-cookie';
  readonly framework: CookieFramework;
  readonly secrets: readonly string[];
  readonly cookie: string;
  /** Where in the session the user's id is, and when it began, if it says so. */
  readonly userId: string;
  readonly issuedAt: string | undefined;
}

/** Cookies that hold the id of a session, or a remember token, sealed with APP_KEY: digests of both were imported. */
export interface LaravelSource extends AnySessionSource {
  readonly speaks: 'signed-cookie';
  readonly framework: 'laravel';
  readonly keys: readonly Buffer[];
  /** Of the session. */
  readonly cookie: string;
}

/** Cookies of express-session, which hold a signed id: digests of the ids were imported. */
export interface ExpressSessionSource extends AnySessionSource {
  readonly speaks: 'signed-cookie';
  readonly framework: 'express-session';
  readonly secrets: readonly string[];
  readonly cookie: string;
}

/** Tokens that only the old system can read: digests of them were imported. */
export interface OpaqueSource extends AnySessionSource {
  readonly speaks: 'opaque';
}

/** Refresh tokens, redeemed at the old system's token endpoint for a JWT that the rules are for. */
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

/** What an app or a tenant may set for itself, resolved: the core's configuration, then the app's, then the tenant's. */
export interface TenantSettings {
  /** Raw bytes of the scrypt variant's signer key. */
  readonly signerKey: Buffer | undefined;
  /** Keys of this app, instead of the core's keys. */
  readonly apiKeys?: { readonly matches: (key: string) => boolean };
  /** Keys that may ask about passwords by hooks; absent where none may. */
  readonly hookKeys?: { readonly matches: (key: string) => boolean };
  /** Asked for users without a hash; absent for none. */
  readonly legacySources?: readonly LegacySource[];
  /** Whether a password that is changed here ends all sessions of its user. */
  readonly endSessionsOnPasswordChange: boolean;
  /** What the old system added to the end of each password before bcrypt: for the hashes imported as such. UTF-8. */
  readonly pepper: Buffer | undefined;
  readonly emailVerificationTokenLifetimeMs: number;
  readonly accessTokenValidityMs: number;
  readonly refreshTokenValidityMs: number;
  /** How long a dynamic key signs tokens. */
  readonly signingKeyIntervalMs: number;
  readonly passwordResetTokenLifetimeMs: number;
  /** Wrong one-time codes in a row that are looked at, and the wait after them. */
  readonly totpMaxAttempts: number;
  readonly totpCooldownMs: number;
  readonly passwordlessCodeLifetimeMs: number;
  /** Wrong codes for one device, the one included by which it ends. */
  readonly passwordlessMaxAttempts: number;
  readonly hashLimits: HashLimits;
  /** Whose sessions are carried over; absent for none. */
  readonly sessionSources?: readonly SessionSource[];
}

/** A tenant that exists, as a request sees it. The numbers are the database's surrogates for the two names. */
export interface Tenant {
  readonly appId: string;
  readonly tenantId: string;
  readonly appNo: number;
  readonly tenantNo: number;
  readonly settings: TenantSettings;
  /** By what people may sign in, see TenantFactors: absent for all that the SDK is set up for. */
  readonly firstFactors?: readonly string[];
  readonly requiredSecondaryFactors?: readonly string[];
}

/** That a user is active is noted once in each such step of the clock, ms. */
export const activityStepMs = 300_000;
