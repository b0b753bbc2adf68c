import { isAbsent, unparsable, type Parsed } from './parsed.ts';

/**
 * SQL clients, drivers and MySQL's `bit(1)`; then the words that Excel writes in the languages in which it translates them, and
 * common words.
 */
const yes = [
  "true t 1 yes y on b'1' 0x01 \u0001 1.0 checked",
  'wahr vrai verdadero vero verdadeiro waar sant sand sann tosi prawda',
  'pravda igaz adevărat doğru истина αληθής ja oui sí si sim да',
].flatMap(wordsOf);
const no = [
  "false f 0 no n off b'0' 0x00 \u0000 0.0 unchecked",
  'falsch faux falso onwaar falskt falsk usann epätosi fałsz nepravda',
  'hamis fals yanlış ложь ψευδής nein non nee não нет',
].flatMap(wordsOf);

function wordsOf(line: string): readonly string[] {
  return line.split(' ');
}

const meanings: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...yes.map((word) => [word, true] as const),
  ...no.map((word) => [word, false] as const),
  [1, true],
  [0, false],
]);

/** A flag as a boolean, a number, a word in any case, or a bit. */
export function parseFlag(value: unknown): Parsed<boolean> {
  if (typeof value === 'boolean') return value;
  const meant = meanings.get(value);
  if (meant !== undefined) return meant;
  if (isAbsent(value)) return undefined;
  return typeof value === 'string'
    ? (meanings.get(value.replaceAll(/\s/g, '').toLowerCase()) ?? unparsable)
    : unparsable;
}
