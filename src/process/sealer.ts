import { Refusal } from '../domain/errors.ts';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Binds a secret to its row: it cannot be opened as another row's. */
export interface SealedPlace {
  readonly purpose: string;
  readonly appNo: number;
  readonly row: string;
}

export const sealedPurposes = {
  signingKey: 'signing key',
  totpSecret: 'TOTP secret',
  provider: 'provider of a tenant',
  record: 'record',
  setting: 'setting of a tenant',
  check: 'check of the keys',
  consoleSession: 'session of the console',
} as const;

/** The place of a device's secret, or of a user's backup codes. @param id of the row, new for each secret */
export function factorPlace(appNo: number, id: string): SealedPlace {
  return { purpose: sealedPurposes.totpSecret, appNo, row: id };
}

const version = 1;
const idBytes = 4;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = 1 + idBytes + ivBytes;

interface NamedKey {
  readonly id: Buffer;
  readonly key: Uint8Array;
}

/**
 * Encrypts secrets at rest: version ‖ key's id ‖ IV ‖ AES-256-GCM ‖ tag. The key's id is the beginning of its SHA-256. The first
 * key seals and all open, so a new key is put before the old one.
 */
export class Sealer {
  readonly #keys: readonly NamedKey[];

  /** @param keys 32 bytes each; without one nothing can be sealed */
  constructor(keys: readonly Uint8Array[]) {
    this.#keys = keys.map((key) => ({ id: idOf(key), key }));
  }

  get canSeal(): boolean {
    return this.#keys.length > 0;
  }

  /**
   * Bytes 1 to 4, hexadecimal, of newly sealed secrets.
   * @throws Refusal ENCRYPTION_KEY_MISSING without a key
   */
  get firstKeyId(): string {
    return this.#first.id.toString('hex');
  }

  get #first(): NamedKey {
    const [first] = this.#keys;
    if (first === undefined) throw new Refusal('ENCRYPTION_KEY_MISSING');
    return first;
  }

  /** @throws Refusal ENCRYPTION_KEY_MISSING without a key */
  seal(place: SealedPlace, secret: Uint8Array): Buffer {
    const first = this.#first;
    const iv = randomBytes(ivBytes);
    const head = Buffer.concat([Buffer.of(version), first.id, iv]);
    const cipher = createCipheriv('aes-256-gcm', first.key, iv).setAAD(contextOf(place));
    return Buffer.concat([head, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws SealedOtherwise when no key opens it */
  open(place: SealedPlace, sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed);
    const id = bytes.subarray(1, 1 + idBytes);
    const key = this.#keys.find((each) => each.id.equals(id))?.key;
    if (bytes[0] !== version || key === undefined || bytes.length < headBytes + tagBytes)
      throw new SealedOtherwise();
    const iv = bytes.subarray(1 + idBytes, headBytes);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
      .setAAD(contextOf(place))
      .setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(headBytes, -tagBytes)), decipher.final()]);
    } catch {
      throw new SealedOtherwise();
    }
  }

  /** @param id bytes 1 to 4 of a sealed secret */
  hasKey(id: Uint8Array): boolean {
    return this.#keys.some((each) => each.id.equals(id));
  }
}

export class SealedOtherwise extends Error {
  override readonly name = 'SealedOtherwise';

  constructor() {
    super("a stored secret is sealed with a key that is not among 'encryption_keys'");
  }
}

function idOf(key: Uint8Array): Buffer {
  return createHash('sha256').update('key of carryover').update(key).digest().subarray(0, idBytes);
}

function contextOf({ purpose, appNo, row }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([purpose, appNo, row]));
}
