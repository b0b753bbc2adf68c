import { createHash, randomUUID } from 'node:crypto';
import type { Person } from './people.ts';

/** The app's request when it sent a user to the provider. */
export interface Asked {
  readonly redirectUri: string;
  /** PKCE (RFC 7636), method S256: only a client that knows the original text gets the tokens. */
  readonly codeChallenge: string;
}

interface Grant extends Asked {
  readonly person: Person;
  readonly expiresAt: number;
}

const maxGrants = 100;
const lifetimeMs = 60_000;

/** Issued codes that were not exchanged yet: each works once, for a minute. */
export class Grants {
  readonly #open = new Map<string, Grant>();
  readonly #now: () => number;

  /** @param now ms since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns the code; the oldest one ends when there are too many */
  open(person: Person, asked: Asked): string {
    const code = randomUUID();
    this.#open.set(code, { ...asked, person, expiresAt: this.#now() + lifetimeMs });
    const [oldest] = this.#open.keys();
    if (this.#open.size > maxGrants && oldest !== undefined) this.#open.delete(oldest);
    return code;
  }

  /** @returns undefined if the code is unknown, used, expired, or another client's */
  redeem(code: string, redirectUri: string, codeVerifier: string): Person | undefined {
    const grant = this.#open.get(code);
    this.#open.delete(code);
    if (grant === undefined || grant.expiresAt < this.#now()) return undefined;
    const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
    return grant.redirectUri === redirectUri && grant.codeChallenge === challenge ? grant.person : undefined;
  }
}
