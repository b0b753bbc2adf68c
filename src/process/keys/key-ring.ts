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
  readonly holder: KeyHolder;
}

export class KeyRing {
  #held: readonly Held[];
  /** Keys that the core made for processes of its own. */
  readonly #granted = new Set<Held>();

  constructor(keys: KeysOfCore) {
    this.#held = heldOf(keys);
  }

  replace(keys: KeysOfCore): void {
    this.#held = heldOf(keys);
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

  /** A new key with the rights of the holder, in this process alone and until it is revoked. */
  grant(holder: KeyHolder): { readonly key: string; readonly revoke: () => void } {
    const key = randomBytes(32).toString('base64url');
    const held: Held = { digest: digest(key), holder };
    this.#granted.add(held);
    return { key, revoke: () => void this.#granted.delete(held) };
  }
}

const digestBytes = 32;

function heldOf({ apiKeys, named }: KeysOfCore): readonly Held[] {
  const ofNamed = named.flatMap(({ name, scopes, digests }) => {
    const holder: KeyHolder = { name, scopes: new Set(scopes) };
    return digests.map((each) => ({ digest: each, holder }));
  });
  return [...apiKeys.map((key) => ({ digest: digest(key), holder: unnamed })), ...ofNamed];
}
