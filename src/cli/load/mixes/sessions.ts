export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** More are not kept: the oldest are left to expire. */
const most = 50_000;

/**
 * The sessions that visits have begun. Those that are refreshed are taken from the front, so that each rests as long as
 * possible; the ones that are checked stay where they are.
 */
export class Sessions {
  #all: Tokens[] = [];
  #front = 0;

  get size(): number {
    return this.#all.length - this.#front;
  }

  add(tokens: Tokens): void {
    this.#all.push(tokens);
    if (this.size > most) this.#front += 1;
    if (this.#front < most) return;
    this.#all = this.#all.slice(this.#front);
    this.#front = 0;
  }

  /** @returns undefined without any */
  take(): Tokens | undefined {
    if (this.size === 0) return undefined;
    const tokens = this.#all[this.#front];
    this.#front += 1;
    return tokens;
  }

  /** The one of a number. */
  look(n: number): Tokens | undefined {
    return this.size === 0 ? undefined : this.#all[this.#front + (n % this.size)];
  }
}
