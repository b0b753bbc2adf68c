import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { placeOfId, placeOfKey, type PlaceSecret } from './place.ts';

/**
 * Random bytes are drawn for 512 ids at once: individually, drawing them took a tenth of the core's time in an import (1.8 µs
 * an id, now 0.2).
 */
class RandomBytes {
  static readonly #bytesPerId = 16;
  #random = Buffer.alloc(0);
  #used = 0;

  draw(): Uint8Array {
    if (this.#used === this.#random.length) {
      this.#random = randomFillSync(Buffer.allocUnsafeSlow(512 * RandomBytes.#bytesPerId));
      this.#used = 0;
    }
    this.#used += RandomBytes.#bytesPerId;
    return this.#random.subarray(this.#used - RandomBytes.#bytesPerId, this.#used);
  }
}

/** Makes ids of what is no user: UUIDv7 (RFC 9562), so ids made later sort later. */
export class TimeIds {
  readonly #random = new RandomBytes();

  /** @param ms since the epoch, the id's first 48 bits */
  next(ms: number): string {
    return v7({ msecs: ms, random: this.#random.draw() });
  }
}

/**
 * Makes core ids: UUIDv7 of the join date, and users are listed in the order of their ids. The first ten bits behind the
 * version (of `rand_a`) are the user's place (place.ts), the other 64 are random.
 */
export class UserIds {
  readonly #random = new RandomBytes();
  readonly #key = Buffer.alloc(16);
  readonly #secret: PlaceSecret;

  constructor(secret: PlaceSecret) {
    this.#secret = secret;
  }

  /**
   * @param timeJoined ms since the epoch, the id's first 48 bits
   * @param key of the identity that the user's head has first
   */
  next(timeJoined: number, key: string): string {
    this.#key.write(key, 'hex');
    return this.#at(timeJoined, placeOfKey(this.#secret, this.#key, 0));
  }

  /** Of a further login method: all of a user's are in the place of its head. */
  nextBeside(timeJoined: number, headId: string): string {
    return this.#at(timeJoined, placeOfId(headId));
  }

  /**
   * As `next`, but as 16 bytes at `at`, behind the 16 of the identity's key: making the text takes three times as long.
   */
  put(timeJoined: number, into: Uint8Array, at: number): void {
    const random = this.#random.draw();
    const seq = sequenceOf(placeOfKey(this.#secret, into, at - 16), random);
    v7({ msecs: timeJoined, random, seq }, into, at);
  }

  #at(timeJoined: number, place: number): string {
    const random = this.#random.draw();
    return v7({ msecs: timeJoined, random, seq: sequenceOf(place, random) });
  }
}

/** What uuid puts behind the version and the variant, 32 bits: the place, and 22 random ones. */
function sequenceOf(place: number, random: Uint8Array): number {
  const rest = (((random[7] ?? 0) << 16) | ((random[8] ?? 0) << 8) | (random[9] ?? 0)) & 0x3f_ffff;
  return (place << 22) | rest;
}
