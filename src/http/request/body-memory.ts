/** The memory of bodies that are too large for the event loop, from before they are read until they are answered. */
export class BodyMemory {
  readonly #limitBytes: number;
  #takenBytes = 0;

  /** @param limitBytes of all bodies together; one that is alone is let in whatever its size */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** @returns gives it back, to be called once; undefined when there is no room now */
  take(bytes: number): (() => void) | undefined {
    if (this.#takenBytes > 0 && this.#takenBytes + bytes > this.#limitBytes) return undefined;
    this.#takenBytes += bytes;
    return () => {
      this.#takenBytes -= bytes;
    };
  }
}
