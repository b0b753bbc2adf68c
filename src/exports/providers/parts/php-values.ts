/** The output of PHP's serialize(). */

const longest = 64 * 1024;

/**
 * The texts in a serialized array, including keys that are texts: `a:1:{i:0;s:15:"Two_Factor_Totp";}`. Lengths count bytes, so
 * that a text may contain quotes.
 * @returns empty unless it is an array, not longer than any list of names or hashes
 */
export function phpStrings(serialized: string): readonly string[] {
  if (!serialized.startsWith('a:') || serialized.length > longest) return [];
  const bytes = Buffer.from(serialized);
  const found: string[] = [];
  for (let at = bytes.indexOf('s:'); at >= 0; at = bytes.indexOf('s:', at)) {
    const [head, digits] = /^s:(\d{1,5}):"/.exec(bytes.toString('latin1', at, at + 10)) ?? [];
    const start = at + (head?.length ?? 2);
    const end = start + Number(digits ?? 0);
    const isText = head !== undefined && bytes.toString('latin1', end, end + 2) === '";';
    if (isText) found.push(bytes.toString('utf8', start, end));
    at = isText ? end + 2 : at + 2;
  }
  return found;
}
