/**
 * Checks base64 without decoding it. `Buffer.from(text, 'base64')` never throws and skips what it does not know,
 * so a damaged hash would decode to something that can never match; here it is found at import.
 */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const asciiSize = 128;

/** Sextet by character code, -1 for characters outside the alphabets. */
function sextetTable(...alphabets: readonly string[]): Int8Array {
  const table = new Int8Array(asciiSize).fill(-1);
  for (const alphabet of alphabets) {
    for (let value = 0; value < alphabet.length; value += 1) table[alphabet.charCodeAt(value)] = value;
  }
  return table;
}

const standard = sextetTable(`${letters}+/`);
const standardOrUrlSafe = sextetTable(`${letters}+/`, `${letters}-_`);

/** Bits of the last sextet that belong to no byte, by length modulo 4; a length of 1 modulo 4 does not exist. */
const spareBitsMask = [0, -1, 0b1111, 0b11] as const;

function decodedBytes(text: string, end: number, table: Int8Array): number | undefined {
  if (end % 4 === 1) return undefined;
  let sextet = 0;
  for (let index = 0; index < end; index += 1) {
    sextet = table[text.charCodeAt(index)] ?? -1;
    if (sextet < 0) return undefined;
  }
  return (sextet & (spareBitsMask[end % 4] ?? 0)) === 0 ? Math.floor((end * 3) / 4) : undefined;
}

/**
 * Decoded length in bytes of standard base64 without padding, undefined when it is anything else or its
 * trailing bits are not zero (RFC 4648 section 3.5: such a text has a twin that decodes alike).
 */
export function strictBase64Bytes(text: string): number | undefined {
  return decodedBytes(text, text.length, standard);
}

/** As strictBase64Bytes for either alphabet, padded in full or not at all: exports of one provider hold both. */
export function lenientBase64Bytes(text: string): number | undefined {
  let end = text.length;
  while (end > 0 && text.length - end < 2 && text[end - 1] === '=') end -= 1;
  if (end < text.length && text.length % 4 !== 0) return undefined;
  return decodedBytes(text, end, standardOrUrlSafe);
}
