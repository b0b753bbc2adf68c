import { randomBytes, timingSafeEqual } from 'node:crypto';
import { digest } from '../../domain/digests.ts';
import { type KeyHolder, type KeyScope, unnamed } from '../../domain/access/key-holder.ts';

export interface NamedKey {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** SHA-256; several while the key is being changed. */
  readonly digests: readonly Buffer[];
}

export interface KeysOfCore {
  /** With all scopes. */
  readonly apiKeys: readonly string[];
  readonly named: readonly NamedKey[];
}

interface Held {
  readonly digest: Buffer;
  /** Another object for each key, also of one name. */
  readonly holder: KeyHolder;
}

interface Granted {
  readonly digest: Buffer;
  holder: KeyHolder;
  /** Of the key whose rights it has; undefined for rights without a key. */
  readonly origin: Buffer | undefined;
}

/** A key of a process of the core's own. */
export interface Grant {
  readonly key: string;
  /** Whether it has rights still: they end with the key that they are from. */
  isValid(): boolean;
  revoke(): void;
}

export class KeyRing {
  #held: readonly Held[];
  readonly #granted = new Set<Granted>();
  /** Digests of their keys, also of those that are no longer held. */
  readonly #origins = new WeakMap<KeyHolder, Buffer>();

  constructor(keys: KeysOfCore) {
    this.#held = this.#hold(keys);
  }

  /** Keys that were granted have the scopes that theirs have now, or none. */
  replace(keys: KeysOfCore): void {
    this.#held = this.#hold(keys);
    for (const granted of this.#granted) {
      const { origin } = granted;
      if (origin === undefined) continue;
      const held = this.#find(origin);
      if (held === undefined) this.#granted.delete(granted);
      else granted.holder = held.holder;
    }
  }

  /** Compares all 32 bytes with every key, so that the time taken reveals nothing about the keys. */
  holderOf(presented: string): KeyHolder | undefined {
    return this.holderOfDigest(digest(presented));
  }

  /** @param sha256 of a key: of a caller that presented the key before, and did not store it */
  holderOfDigest(sha256: Buffer): KeyHolder | undefined {
    if (sha256.length !== digestBytes) return undefined;
    let found: KeyHolder | undefined;
    for (const held of this.#held) if (timingSafeEqual(held.digest, sha256)) found = held.holder;
    for (const held of this.#granted) if (timingSafeEqual(held.digest, sha256)) found = held.holder;
    return found;
  }

  /**
   * A new key with the rights of the holder, in this process alone, until it is revoked or the holder's own key is.
   * @param holder as it was found here, or of a caller without a key of the core
   */
  grant(holder: KeyHolder): Grant {
    const key = randomBytes(32).toString('base64url');
    const origin = this.#origins.get(holder);
    const granted: Granted = { digest: digest(key), holder, origin };
    // Its key may have been revoked since the holder was found.
    if (origin === undefined || this.#find(origin) !== undefined) this.#granted.add(granted);
    return {
      key,
      isValid: () => this.#granted.has(granted),
      revoke: () => void this.#granted.delete(granted),
    };
  }

  #hold(keys: KeysOfCore): readonly Held[] {
    const held = heldOf(keys);
    for (const { digest: origin, holder } of held) this.#origins.set(holder, origin);
    return held;
  }

  #find(origin: Buffer): Held | undefined {
    return this.#held.find((held) => held.digest.equals(origin));
  }
}

const digestBytes = 32;

function heldOf({ apiKeys, named }: KeysOfCore): readonly Held[] {
  const ofNamed = named.flatMap(({ name, scopes, digests }) => {
    const allowed = new Set(scopes);
    return digests.map((each) => ({ digest: each, holder: { name, scopes: allowed } }));
  });
  return [...apiKeys.map((key) => ({ digest: digest(key), holder: { ...unnamed } })), ...ofNamed];
}
