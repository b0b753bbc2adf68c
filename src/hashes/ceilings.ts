/**
 * Bounds that no setting moves, each with where it comes from. They bound memory and parsing; what time goes by has a
 * setting each, in limits.ts.
 */

/**
 * Characters a hash string may have, checked before anything looks at it. Real ones have up to about 250;
 * the longest dialects that carry key and parameters with them stay below 1,000.
 */
export const hashCharactersLimit = 4096;

/**
 * Largest salt in bytes, decoded. The longest that real systems write are 64 (Keycloak's and Devise's have 16 and 29);
 * scrypt, PBKDF2 and Argon2 digest it once, iterated digests once too: no time to speak of.
 */
export const saltBytesLimit = 128;

/** Shortest key in bytes that is taken. ASP.NET's own floor; with fewer, wrong passwords begin to match by chance. */
export const keyBytesFloor = 16;
/** Longest key in bytes, Argon2's tag included: each further digest of it costs all iterations of PBKDF2 again. */
export const keyBytesLimit = 128;
