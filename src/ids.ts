import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Makes core ids: UUIDv7 (RFC 9562) of the join date, so ids made later sort later, and users are listed in the order of
 * their ids. Random bytes are drawn for 512 ids at once: one by one, drawing them took a tenth of the core's time in an
 * import (1.8 µs an id, now 0.2).
 */
export class UserIds {
  static readonly #bytesPerId = 16;
  #random = Buffer.alloc(0);
  #used = 0;

  /** @param timeJoined ms since the epoch, the id's first 48 bits */
  next(timeJoined: number): string {
    return v7({ msecs: timeJoined, random: this.#draw() });
  }

  /** As `next`, but as 16 bytes at `at`: making the text takes three times as long. */
  put(timeJoined: number, into: Uint8Array, at: number): void {
    v7({ msecs: timeJoined, random: this.#draw() }, into, at);
  }

  #draw(): Uint8Array {
    if (this.#used === this.#random.length) {
      this.#random = randomFillSync(Buffer.allocUnsafeSlow(512 * UserIds.#bytesPerId));
      this.#used = 0;
    }
    this.#used += UserIds.#bytesPerId;
    return this.#random.subarray(this.#used - UserIds.#bytesPerId, this.#used);
  }
}
