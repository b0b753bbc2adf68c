/**
 * The construction of an app's hashes from the password and a salt, as a text: `md5(md5(password).salt)`,
 * `sha512(password.salt,iterations=20)`, `hmac-sha256(password,key=salt)`, `pbkdf2-sha512(iterations=1000,salt=hex)`. A digest
 * inside of another is its text in hexadecimal digits, as in PHP and Ruby; `raw(…)`, `base64(…)` and `upper(…)` choose another
 * form.
 */

import { digestBytes, type DigestName } from './digested.ts';

export type SaltEncoding = 'text' | 'hex' | 'base64';

/** The parts of the digested text, concatenated. */
export type Term =
  | { readonly is: 'password' | 'salt' }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'digest'; readonly as: DigestForm; readonly of: DigestCall };

/** The form of a digest inside of another. */
export type DigestForm = 'hex' | 'upper' | 'base64' | 'raw';

export interface DigestCall {
  readonly digest: DigestName;
  readonly terms: readonly Term[];
  /** The digest of the digest's hexadecimal text, this many times in all. */
  readonly iterations: number;
}

export type Construction =
  | ({ readonly is: 'digest'; readonly salt: SaltEncoding } & DigestCall)
  /** HMAC of the password, with the salt as key. */
  | { readonly is: 'hmac'; readonly digest: DigestName; readonly salt: SaltEncoding }
  | {
      readonly is: 'pbkdf2';
      readonly digest: 'sha1' | 'sha256' | 'sha512';
      readonly iterations: number;
      readonly salt: SaltEncoding;
    };

/** Characters of an expression, and digests in it. */
const charactersLimit = 200;
const callsLimit = 8;

/** The possible forms, for messages. */
export const constructionForms =
  'md5(password.salt), sha1(salt.password), md5(md5(password).salt), sha512(password.salt,iterations=20), hmac-sha256(password,key=salt) or pbkdf2-sha512(iterations=1000,salt=hex)';

/** @returns what is wrong with the text, for people, if it is not a construction */
export function parseConstruction(text: string): Construction | string {
  if (text.length > charactersLimit) return `a construction has at most ${charactersLimit} characters`;
  try {
    return new Reader(text).whole();
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

/** Whether a text is meant as one: names of kinds have no parentheses. */
export function isConstruction(text: string): boolean {
  return text.includes('(');
}

class Unreadable extends Error {}

/** Names with their values, as they are in a call. */
type Named = ReadonlyMap<string, string>;

/** Recursive descent over one text. */
class Reader {
  readonly #tokens: readonly string[];
  #at = 0;
  #calls = 0;

  constructor(text: string) {
    this.#tokens = text.match(/'[^']*'|[\w-]+|\S/g) ?? [];
  }

  whole(): Construction {
    const name = this.#next().toLowerCase();
    this.#expect('(');
    const [, family = 'digest', digest] = /^(?:(hmac|pbkdf2)-)?(\w+)$/.exec(name) ?? [];
    if (digest === undefined || !isDigest(digest)) throw unknown(name);
    const read = { digest: () => this.#digest(digest), hmac: () => this.#hmac(digest) };
    const construction =
      family === 'pbkdf2' ? this.#pbkdf2(digest) : read[family === 'hmac' ? 'hmac' : 'digest']();
    if (this.#peek() !== '') throw new Unreadable(`${this.#peek()} after the end of the construction`);
    return construction;
  }

  #digest(digest: DigestName): Construction {
    const { named, ...call } = this.#call(digest);
    requireOnly(named, 'iterations', 'salt');
    const uses = placesOf(call.terms);
    if (!uses.includes('password')) throw new Unreadable('the password is not in the construction');
    return { is: 'digest', ...call, salt: saltOf(named) };
  }

  #hmac(digest: DigestName): Construction {
    if (this.#next() !== 'password')
      throw new Unreadable('an HMAC is of the password: hmac-sha256(password,key=salt)');
    const named = this.#named();
    requireOnly(named, 'key', 'salt');
    if (named.get('key') !== 'salt') throw new Unreadable('the key of an HMAC is the salt: key=salt');
    return { is: 'hmac', digest, salt: saltOf(named) };
  }

  #pbkdf2(digest: DigestName): Construction {
    const named = this.#named();
    requireOnly(named, 'iterations', 'salt');
    if (!named.has('iterations'))
      throw new Unreadable('PBKDF2 needs its iterations, as in pbkdf2-sha512(iterations=1000,salt=hex)');
    if (digest === 'md5' || digest === 'sha384')
      throw new Unreadable('PBKDF2 is verified with sha1, sha256 and sha512');
    return { is: 'pbkdf2', digest, iterations: iterationsOf(named), salt: saltOf(named) };
  }

  /** After its parenthesis. */
  #call(digest: DigestName): DigestCall & { readonly named: Named } {
    this.#calls += 1;
    if (this.#calls > callsLimit) throw new Unreadable(`it has more than ${callsLimit} digests`);
    const terms = [this.#term()];
    while (this.#peek() === '.' || this.#peek() === '+') {
      this.#next();
      terms.push(this.#term());
    }
    const named = this.#named();
    return { digest, terms, iterations: iterationsOf(named), named };
  }

  #term(): Term {
    const token = this.#next();
    if (token.startsWith("'") && token.length > 1) return textOf(token.slice(1, -1));
    if (token === 'password' || token === 'salt') return { is: token };
    this.#expect('(');
    const name = token.toLowerCase();
    if (name === 'raw' || name === 'base64' || name === 'upper') {
      const of = this.#inner(this.#next().toLowerCase());
      this.#expect(')');
      return { is: 'digest', as: name, of };
    }
    this.#at -= 1;
    return { is: 'digest', as: 'hex', of: this.#inner(name) };
  }

  #inner(name: string): DigestCall {
    if (!isDigest(name)) throw unknown(name);
    this.#expect('(');
    const { named, ...call } = this.#call(name);
    requireOnly(named, 'iterations');
    return call;
  }

  /** Up to the closing parenthesis. */
  #named(): Named {
    const named = new Map<string, string>();
    while (this.#peek() !== ')') {
      if (this.#peek() === ',') this.#next();
      const name = this.#next();
      this.#expect('=');
      if (named.has(name)) throw new Unreadable(`${name} is there twice`);
      named.set(name, this.#next());
    }
    this.#expect(')');
    return named;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #next(): string {
    const token = this.#peek();
    if (token === '') throw new Unreadable('it ends too early: is a parenthesis missing?');
    this.#at += 1;
    return token;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) throw new Unreadable(`${found} is where ${token} was expected`);
  }
}

function unknown(name: string): Unreadable {
  return new Unreadable(`${name} is not a digest: it takes ${Object.keys(digestBytes).join(', ')}`);
}

function isDigest(name: string): name is DigestName {
  return Object.hasOwn(digestBytes, name);
}

/** `$` separates the parts of the stored string. */
function textOf(text: string): Term {
  if (text === '' || text.includes('$')) throw new Unreadable('a text in quotes is not empty and has no $');
  return { is: 'text', text };
}

function requireOnly(named: Named, ...known: readonly string[]): void {
  const other = [...named.keys()].find((name) => !known.includes(name));
  if (other !== undefined)
    throw new Unreadable(`${other}= is not known here: it takes ${known.join('=, ')}=`);
}

function iterationsOf(named: Named): number {
  const text = named.get('iterations') ?? '1';
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Unreadable('iterations is a whole number from 1');
}

function saltOf(named: Named): SaltEncoding {
  const encoding = named.get('salt') ?? 'text';
  if (encoding === 'text' || encoding === 'hex' || encoding === 'base64') return encoding;
  throw new Unreadable('salt= takes text, hex or base64');
}

/** Occurrences of the two in it, at any depth. */
export function placesOf(terms: readonly Term[]): readonly ('password' | 'salt')[] {
  return terms.flatMap((term) => {
    if (term.is === 'digest') return placesOf(term.of.terms);
    return term.is === 'text' ? [] : [term.is];
  });
}

/** Digests that one verification computes. */
export function digestsOf({ iterations, terms }: DigestCall): number {
  const inner = terms.map((term) => (term.is === 'digest' ? digestsOf(term.of) : 0));
  return inner.reduce((sum, each) => sum + each, iterations);
}

/** The parsed call in one spelling. @param textAs represents a text in quotes */
export function textOfCall(call: DigestCall, textAs = (text: string) => `'${text}'`): string {
  const terms = call.terms.map((term) => {
    if (term.is === 'text') return textAs(term.text);
    if (term.is !== 'digest') return term.is;
    const inner = textOfCall(term.of, textAs);
    return term.as === 'hex' ? inner : `${term.as}(${inner})`;
  });
  const iterations = call.iterations === 1 ? '' : `,iterations=${call.iterations}`;
  return `${call.digest}(${terms.join('.')}${iterations})`;
}
