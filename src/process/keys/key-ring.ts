import { timingSafeEqual } from 'node:crypto';
import { digest } from '../../domain/digests.ts';
import { type KeyHolder, type KeyScope, unnamed } from '../../domain/access/key-holder.ts';

/** A key of `named_keys`: its SHA-256 digest, since the key itself is not needed. */
export interface NamedKey {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** One, or several while the key is changed. */
  readonly digests: readonly Buffer[];
}

export interface KeysOfCore {
  /** For everything. */
  readonly apiKeys: readonly string[];
  readonly named: readonly NamedKey[];
}

interface Held {
  readonly digest: Buffer;
  readonly holder: KeyHolder;
}

/** The keys by which the core itself may be called, as digests, and whose each is. */
export class KeyRing {
  #held: readonly Held[];

  constructor(keys: KeysOfCore) {
    this.#held = heldOf(keys);
  }

  /** From now on these alone count. */
  replace(keys: KeysOfCore): void {
    this.#held = heldOf(keys);
  }

  /**
   * Compares with every key, always all of them and always 32 bytes, so that the time taken shows nothing about which key
   * came close or how long it is.
   */
  holderOf(presented: string): KeyHolder | undefined {
    const candidate = digest(presented);
    let found: KeyHolder | undefined;
    for (const held of this.#held) if (timingSafeEqual(held.digest, candidate)) found = held.holder;
    return found;
  }
}

function heldOf({ apiKeys, named }: KeysOfCore): readonly Held[] {
  const ofNamed = named.flatMap(({ name, scopes, digests }) => {
    const holder: KeyHolder = { name, scopes: new Set(scopes) };
    return digests.map((each) => ({ digest: each, holder }));
  });
  return [...apiKeys.map((key) => ({ digest: digest(key), holder: unnamed })), ...ofNamed];
}
