/** Causes of a mismatch with the allegedly right password, in words that several kinds share. */

export const anotherPassword =
  'The password is another one: changed since the export, mistyped, or the hash is of another user (check how hashes and emails were joined).';
export const otherSalt =
  'The salt is another one, or stands in another place or encoding than the string says.';
export const otherCost =
  'Its parameters (iterations, N, r, p, digest) are not those that the old system used.';
