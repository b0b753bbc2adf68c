/** What the first measurements are weighed against: an estimate is believed until 200 ms of work say otherwise. */
const believedMs = 200;
/** How much of what was learned is kept by each measurement: the last ten or so count. */
const memory = 0.9;

/**
 * How long work takes here, as a multiple of what was estimated: the estimates are of one core at rest, of one machine.
 * A decaying mean, weighed by the work, so that a hash of a microsecond says as little as it takes.
 */
export class Pace {
  #estimatedMs = believedMs;
  #measuredMs = believedMs;

  /** Milliseconds that work takes for each one that was estimated. */
  get slowness(): number {
    return this.#measuredMs / this.#estimatedMs;
  }

  learn(estimatedMs: number, measuredMs: number): void {
    if (!(estimatedMs > 0)) return;
    this.#estimatedMs = this.#estimatedMs * memory + estimatedMs;
    this.#measuredMs = this.#measuredMs * memory + measuredMs;
  }
}
