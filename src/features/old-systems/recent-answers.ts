interface RecentAnswer {
  readonly ms: number;
  readonly hasFailed: boolean;
}

interface KeptAnswer extends RecentAnswer {
  readonly at: number;
}

const most = 64;
/** ms: the age up to which a failure is reported to another request. */
const lastingMs = 60_000;
/** The usual time of an answer over a network, until the first one. */
const usualMs = { from: 80, to: 240 };

/**
 * How the source answered recently, for guesses about which it is not asked: they wait as long as others did, and report that it
 * cannot be reached as often as others did within the minute. An older failure would distinguish them from those it is asked
 * about. Only wrong passwords and failures are recorded, as these are.
 */
export class RecentAnswers {
  readonly #answers: KeptAnswer[] = [];
  #next = 0;

  add(answer: KeptAnswer): void {
    this.#answers[this.#next] = answer;
    this.#next = (this.#next + 1) % most;
  }

  /** @param random returns 0 to 1, a new number each time */
  draw(random: () => number, now: number): RecentAnswer {
    // The clock may have been set back.
    const lately = this.#answers.filter(({ at }) => Math.abs(now - at) < lastingMs);
    const failed = drawn(random(), lately);
    return failed?.hasFailed === true ? failed : { ms: this.drawMs(random()), hasFailed: false };
  }

  /** Only for answers. @param random 0 to 1 */
  drawMs(random: number): number {
    const answered = this.#answers.filter(({ hasFailed }) => !hasFailed);
    return drawn(random, answered)?.ms ?? usualMs.from + random * (usualMs.to - usualMs.from);
  }
}

function drawn(random: number, answers: readonly RecentAnswer[]): RecentAnswer | undefined {
  return answers[Math.floor(random * answers.length)];
}
