import { timingSafeEqual } from 'node:crypto';
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
  readonly holder: KeyHolder;
}

export class KeyRing {
  #held: readonly Held[];

  constructor(keys: KeysOfCore) {
    this.#held = heldOf(keys);
  }

  replace(keys: KeysOfCore): void {
    this.#held = heldOf(keys);
  }

  /** Compares all 32 bytes with every key, so that the time taken reveals nothing about the keys. */
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
