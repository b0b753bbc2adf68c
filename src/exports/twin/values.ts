/** Replaces values: equal ones by equal ones, different ones by different ones, and none by one that the original has. */

import { isEmail, spellEmail } from '../../domain/email.ts';
import { formsText, parseForms } from '../../hashes/transforms/transforms.ts';
import { digitAsLetter, hexadecimal, type Letter, letterOf, upperHexadecimal } from './alphabets.ts';
import { isMark } from './hash-class.ts';
import { type Keyed, keyedBy, numberOf, type TwinKey } from './keyed.ts';
import { eachPart, hasOriginal, originalCharacters, type OriginalTable } from './originals.ts';
import { permuted } from './permute.ts';
import { publicWords } from './vocabulary.ts';

/** What a keyed function is asked for; 4 bits are left for attempts. */
const use = { text: 1, time: 2, number: 3, choice: 4, listed: 5, password: 6, shift: 7, longer: 8 } as const;

const attempts = 12;
const attemptBits = 4;

type LetterIn = (character: string, index: number) => Letter | undefined;

/** Texts that occur with many users: they are permuted once. */
const cacheSize = 50_000;

export class Replacer {
  readonly #keyed: Keyed;
  readonly #originals: OriginalTable;
  readonly #now: number;
  readonly #shiftMs: number;
  readonly #cache = new Map<string, string>();

  constructor(key: TwinKey, originals: OriginalTable, now: number) {
    this.#keyed = keyedBy(key);
    this.#originals = originals;
    this.#now = now;
    this.#shiftMs = (1 + (numberOf(this.#keyed, use.shift, '') % maxShiftDays)) * dayMs;
  }

  /** Any text: an email, a phone number, an id, a name. The same text becomes the same in every field. */
  text(text: string): string {
    const known = this.#cache.get(text);
    if (known !== undefined) return known;
    const made = this.#ofForm(text);
    if (this.#cache.size >= cacheSize) this.#cache.clear();
    this.#cache.set(text, made);
    return made;
  }

  #ofForm(text: string): string {
    const core = text.trim();
    if (core === '') return text;
    const start = text.indexOf(core);
    return text.slice(0, start) + this.#ofCore(core) + text.slice(start + core.length);
  }

  #ofCore(core: string): string {
    const spelled = spellEmail(core);
    if (isEmail(spelled)) return inCaseOf(core, spelled, this.#email(spelled));
    if (phone.test(core)) return this.#phone(core);
    return this.#unseen(core, lettersOf(core));
  }

  /** One of the public words of a field, or any text. */
  word(text: string, field: keyof typeof publicWords): string {
    return publicWords[field].has(text.trim().toLowerCase()) ? text : this.text(text);
  }

  #email(email: string): string {
    const at = email.lastIndexOf('@');
    const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
    return `${this.#unseen(local, lettersOf(local))}@${this.#domain(domain)}`;
  }

  /** Endings stay, as far as they are too short to be a name. */
  #domain(domain: string): string {
    if (publicWords.mailDomain.has(domain)) return domain;
    const labels = domain.split('.');
    return labels
      .map((label, place) => {
        const isEnding = place === labels.length - 1 && /^[a-z]{2,5}$/.test(label);
        const isShared = place > 0 && place === labels.length - 2 && sharedLabels.has(label);
        return isEnding || isShared ? label : this.#label(label);
      })
      .join('.');
  }

  #label(label: string): string {
    const known = this.#cache.get(`.${label}`);
    if (known !== undefined) return known;
    const made = this.#unseen(label, lettersOf(label));
    this.#cache.set(`.${label}`, made);
    return made;
  }

  /** The first digits of the country's code stay. */
  #phone(number: string): string {
    return this.#unseen(number, (digit, index) => (index < 3 ? undefined : letterOf(digit)));
  }

  /** Permutes a text once more as long as a part of the result is one of the original. */
  #unseen(text: string, letter: LetterIn): string {
    const keyed = this.#keyed;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const made = permuted(text, { keyed, use: (use.text << attemptBits) | attempt, letter });
      if (!this.#isOriginal(made)) return made;
    }
    return this.#longer(text, letter);
  }

  /** Of texts as short and dense as numbers of six digits, all may be in the original. */
  #longer(text: string, letter: LetterIn): string {
    const added = numberOf(this.#keyed, use.longer, text).toString(36);
    return (
      permuted(text, { keyed: this.#keyed, use: use.text << attemptBits, letter }) +
      added.replaceAll(/\d/g, 'x')
    );
  }

  #isOriginal(made: string): boolean {
    if (made.length < originalCharacters) return false;
    let isFound = false;
    eachPart(made, (part) => {
      isFound ||= hasOriginal(this.#originals, part);
    });
    return isFound;
  }

  /** A secret of a device in its encoding. */
  secret(text: string, encoding: unknown): string {
    if (encoding === 'text' || encoding === 'latin1') return this.text(text);
    return this.#unseen(text, encoding === 'hex' || encoding === 'base64' ? lettersOf(text) : base32Letter);
  }

  /** A hash that cannot be made, or read: its marks and its parameters stay. */
  hash(text: string): string {
    return text.replaceAll(/[^$:,|{}"; ]+/g, (piece) =>
      isMark(piece) ? piece : this.#unseen(piece, lettersOf(piece)),
    );
  }

  /** Texts in a list of transforms. */
  transforms(text: string): string {
    const forms = parseForms(text);
    if (forms === undefined) return text;
    if ('message' in forms) return this.text(text);
    return formsText(
      forms.map((form) =>
        form.map(({ name, text: own }) => (own === undefined ? { name } : { name, text: this.text(own) })),
      ),
    );
  }

  /** Up to a month earlier, by the same shift for all and by seconds for each; one in the future as much later. */
  time(ms: number): number {
    const direction = ms > this.#now ? 1 : -1;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const seconds = numberOf(this.#keyed, (use.time << attemptBits) | attempt, String(ms)) % daySeconds;
      const made = ms + direction * (this.#shiftMs + seconds * 1000);
      const isSame = made >= 0 && made <= latestMs && ms < oldestMs === made < oldestMs;
      if (isSame && !this.#isOriginal(String(made))) return made;
    }
    return this.number(ms);
  }

  /** One with as many digits. */
  number(value: number): number {
    const text = String(Math.abs(value));
    if (!/^\d+(?:\.\d+)?$/.test(text)) return numberOf(this.#keyed, use.number, text) % 1_000_000;
    const made = Number(this.#unseen(text, digitOfNumber));
    return Number.isFinite(made)
      ? Math.sign(value) * made
      : numberOf(this.#keyed, use.number, text) % 1_000_000;
  }

  /** One of `count`, the same for the same text. */
  choice(text: string, count: number): number {
    return numberOf(this.#keyed, use.choice, text) % count;
  }

  /** Whether a text is in a share of all, 0 to 1. */
  isInShare(text: string, share: number): boolean {
    return numberOf(this.#keyed, use.listed, text) < share * 2 ** 53;
  }

  /** A known password: ASCII, and no word of six letters. */
  password(index: number): string {
    const bits = numberOf(this.#keyed, use.password, String(index));
    const text = bits.toString(36).padStart(11, '0');
    return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}-${index}`;
  }
}

const dayMs = 86_400_000;
const daySeconds = 86_400;
const maxShiftDays = 30;
/** Dates before it are odd: see imports/record/methods.ts. */
const oldestMs = Date.UTC(2000, 0, 1);
const latestMs = 8.64e15;
const sharedLabels: ReadonlySet<string> = new Set([
  'co',
  'com',
  'org',
  'net',
  'ac',
  'gov',
  'edu',
  'ne',
  'or',
]);
/** Digits of a number of which an original has few. */
const sparseDigits = 12;
const phone = /^\+[1-9]\d{4,14}$/;

/** Hexadecimal digits stay hexadecimal. A number of few digits begins with a letter: all others may be the original's. */
function lettersOf(text: string): LetterIn {
  if (/^\d+$/.test(text))
    return text.length < originalCharacters || text.length >= sparseDigits
      ? letterOf
      : (character, index) => (index === 0 ? digitAsLetter.get(character) : letterOf(character));
  if (/^(?=.*\d)[0-9a-f-]{16,}$/.test(text)) return (character) => hexadecimal.get(character);
  if (/^(?=.*\d)[0-9A-F-]{16,}$/.test(text)) return (character) => upperHexadecimal.get(character);
  return letterOf;
}

const base32Digits: ReadonlyMap<string, Letter> = new Map(
  Array.from('234567', (digit, place) => [digit, { alphabet: Array.from('234567'), place }]),
);

/** Letters stay letters and digits digits: the alphabet has all letters and these digits. */
function base32Letter(character: string): Letter | undefined {
  return base32Digits.get(character) ?? letterOf(character);
}

const firstDigits: ReadonlyMap<string, Letter> = new Map(
  Array.from('123456789', (digit, place) => [digit, { alphabet: Array.from('123456789'), place }]),
);

/** The first digit is not zero, so that a number has as many digits as before. */
function digitOfNumber(character: string, index: number): Letter | undefined {
  return index === 0 ? firstDigits.get(character) : letterOf(character);
}

/** `made` with capitals where `given` has them. @param spelled in lower case, from which it was made */
function inCaseOf(given: string, spelled: string, made: string): string {
  if (given === spelled || given.length !== spelled.length || made.length !== spelled.length) return made;
  return Array.from({ length: made.length }, (_, index) => {
    const character = made.charAt(index);
    const upper = character.toUpperCase();
    return given[index] !== spelled[index] && upper.length === 1 ? upper : character;
  }).join('');
}
