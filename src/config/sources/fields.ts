/** Reads the fields of one source: each problem names the source, the field, the problem and the cure, never a value. */

export class SourceFault extends Error {
  override readonly name = 'SourceFault';
}

type Written = Readonly<Record<string, unknown>>;

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const dayOnly = /^\d{4}-\d\d-\d\d$/;
const moment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Issuers, names and ids: no control characters, limited length. */
const plain = /^[^\p{Cc}]{1,8192}$/u;

export class SourceFields {
  readonly #written: Written;
  readonly #where: string;
  readonly #unread: Set<string>;

  /** @param where names the source in messages */
  constructor(written: Written, where: string) {
    this.#written = written;
    this.#where = where;
    this.#unread = new Set(Object.keys(written).filter((name) => this.#value(name) !== undefined));
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  raw(name: string): unknown {
    this.#unread.delete(name);
    return this.#value(name);
  }

  /** @throws SourceFault */
  fail(name: string, problem: string): never {
    throw new SourceFault(`${this.#where}: '${name}' ${problem}`);
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.fail(name, 'is missing: add it');
  }

  optionalText(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || !plain.test(value))
      this.fail(name, 'must be text that is not empty and has no control characters');
    return value;
  }

  optionalLines(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value.trim() === '') this.fail(name, 'must be text that is not empty');
    return value;
  }

  optionalTexts(name: string): readonly string[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const isEach = list.length > 0 && list.every((each) => typeof each === 'string' && plain.test(each));
    if (!isEach) this.fail(name, 'must be a text, or a list of texts, none of them empty');
    return list as readonly string[];
  }

  texts(name: string): readonly string[] {
    return this.optionalTexts(name) ?? this.fail(name, 'is missing: add it, a text or a list of them');
  }

  flag(name: string): boolean {
    const value = this.raw(name) ?? false;
    return typeof value === 'boolean' ? value : this.fail(name, 'must be true or false');
  }

  word<Word extends string>(name: string, words: readonly Word[], otherwise?: Word): Word {
    const value = this.raw(name) ?? otherwise;
    const found = words.find((each) => each === value);
    return found ?? this.fail(name, `must be one of ${words.join(', ')}`);
  }

  /** @returns ms */
  duration(name: string, otherwise: string, mostDays: number): number {
    const value = this.raw(name) ?? otherwise;
    const [, count = '', unit = ''] =
      typeof value === 'string' ? (/^(\d{1,9})(s|m|h|d)$/.exec(value) ?? []) : [];
    const ms = Number(count) * (isUnit(unit) ? unitMs[unit] : 0);
    if (unit === '' || ms > mostDays * unitMs.d || (ms === 0 && name !== 'clock_skew'))
      this.fail(
        name,
        `must be a number and a unit (s, m, h or d), at most ${mostDays}d: such as ${otherwise}`,
      );
    return ms;
  }

  /** A day, including its end, or a time; UTC. @returns ms since the epoch */
  instant(name: string): number {
    const value =
      this.raw(name) ??
      this.fail(name, 'is missing: say on which day the source is closed, such as 2030-01-31');
    const text = typeof value === 'string' ? value : '';
    const at = moment.test(text) ? Date.parse(text) : NaN;
    const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10));
    if (!isReal)
      this.fail(name, 'must be a day or a moment in UTC, such as 2030-01-31 or 2030-01-31T12:00:00Z');
    return dayOnly.test(text) ? at + unitMs.d : at;
  }

  optionalUrl(name: string): string | undefined {
    const value = this.optionalText(name);
    if (value === undefined) return undefined;
    const url = URL.canParse(value)
      ? new URL(value)
      : this.fail(name, 'must be a URL such as https://auth.example.com/keys');
    if (url.username !== '' || url.password !== '')
      this.fail(name, 'may hold no user name or password: remove them');
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
    return isSafe
      ? url.href
      : this.fail(name, 'must begin with https:// (http:// on a loopback address only)');
  }

  url(name: string): string {
    return this.optionalUrl(name) ?? this.fail(name, 'is missing: add it');
  }

  /** Called last: a field that was not read is misspelled or misplaced. */
  end(): void {
    const [unknown] = this.#unread;
    if (unknown !== undefined)
      throw new SourceFault(
        `${this.#where}: unknown field '${printable(unknown)}': remove it or correct its spelling`,
      );
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#written, name) ? (this.#written[name] ?? undefined) : undefined;
  }
}

function isUnit(unit: string): unit is keyof typeof unitMs {
  return Object.hasOwn(unitMs, unit);
}

/** For messages and log lines: short, without control characters. */
export function printable(name: string): string {
  return name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 64);
}
