interface Sample {
  /** ms */
  readonly at: number;
  readonly bytes: number;
  readonly records: number;
}

const windowMs = 30_000;

/** Records a second and time left, over the last half minute: an average since the start hides that it got slower. */
export class Rate {
  readonly #samples: Sample[] = [];

  add(sample: Sample): void {
    this.#samples.push(sample);
    while (this.#samples.length > 2 && sample.at - (this.#samples[0]?.at ?? 0) > windowMs)
      this.#samples.shift();
  }

  /** undefined while nothing is known. */
  get recordsPerSecond(): number | undefined {
    return this.#perSecond(({ records }) => records);
  }

  /** @param bytesLeft of the file @returns seconds; undefined while nothing moves */
  secondsLeft(bytesLeft: number): number | undefined {
    const speed = this.#perSecond(({ bytes }) => bytes);
    return speed === undefined || speed <= 0 ? undefined : bytesLeft / speed;
  }

  #perSecond(of: (sample: Sample) => number): number | undefined {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.at <= first.at) return undefined;
    return ((of(last) - of(first)) * 1000) / (last.at - first.at);
  }
}
