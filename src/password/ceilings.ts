/**
 * Ceilings that no setting moves, each with where it comes from. Times are of one verification at the ceiling on one
 * core of 2023; memory is a few KiB for all of them, so only time is bounded here.
 */

/** Largest salt in bytes. The longest that real systems write are 64; scrypt and PBKDF2 digest it once. */
export const saltBytesLimit = 128;

/** Shortest key in bytes that is taken. ASP.NET's own floor; with fewer, wrong passwords begin to match by chance. */
export const keyBytesFloor = 16;
/** Longest key in bytes: each further digest of it costs all iterations of PBKDF2 again. */
export const keyBytesLimit = 128;

/** scrypt's p. Ory Kratos stops at 10, RFC 7914's own test has 16; it multiplies time, and memory is bounded apart. */
export const scryptParallelismLimit = 16;

/** Rounds of sha256-crypt and sha512-crypt: the format allows 999,999,999; passlib's default is 656,000. 1.2 s. */
export const cryptRoundsLimit = 1_000_000;

/** log2 of phpass's rounds: the format allows 30; WordPress and phpBB write 13 at most. 1.1 s. */
export const phpassLogRoundsLimit = 20;

/** Iterations of a plain digest: Firebase imports 8,192, Symfony's default was 5,000. About 10 ms. */
export const digestIterationsLimit = 10_000;
