/** Bytes of a line without its line end (LF or CRLF): limits the memory that one user takes. */
export const lineBytesLimit = 1_048_576;

/** Why a longer line is rejected; the line number is added if known. */
export const lineTooLong = {
  code: 'LINE_TOO_LONG',
  field: '',
  message: 'The line is longer than 1 MiB: shorten its userMetadata, or divide its loginMethods',
} as const;
