/** Bytes of a line without its line end (LF or CRLF): the contract's bound, and what one user may cost in memory. */
export const lineBytesLimit = 1_048_576;

/** Why a longer line is rejected; the line's number is added where it is known. */
export const lineTooLong = {
  code: 'LINE_TOO_LONG',
  field: '',
  message: 'The line is longer than 1 MiB: shorten its userMetadata, or divide its loginMethods',
} as const;
