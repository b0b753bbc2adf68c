interface RecentAnswer {
  readonly ms: number;
  readonly hasFailed: boolean;
}

interface KeptAnswer extends RecentAnswer {
  readonly at: number;
}

const most = 64;
/** ms: how long ago a failure may be that is reported to another request. */
const lastingMs = 60_000;
/** As an answer over a network takes, until one has come. */
const usualMs = { from: 80, to: 240 };

/**
 * How the source answered recently, for guesses about which it is not asked: they wait as long as others did, and report that it
 * cannot be reached as often as others did within the minute. An older failure would distinguish them from those it is asked
 * about. Wrong passwords and failures only, as theirs are.
 */
export class RecentAnswers {
  readonly #answers: KeptAnswer[] = [];
  #next = 0;

  add(answer: KeptAnswer): void {
    this.#answers[this.#next] = answer;
    this.#next = (this.#next + 1) % most;
  }

  /** @param random answers 0 to 1, another number each time */
  draw(random: () => number, now: number): RecentAnswer {
    // A clock may be set back.
    const lately = this.#answers.filter(({ at }) => Math.abs(now - at) < lastingMs);
    const failed = drawn(random(), lately);
    return failed?.hasFailed === true ? failed : { ms: this.drawMs(random()), hasFailed: false };
  }

  /** Of answers only. @param random 0 to 1 */
  drawMs(random: number): number {
    const answered = this.#answers.filter(({ hasFailed }) => !hasFailed);
    return drawn(random, answered)?.ms ?? usualMs.from + random * (usualMs.to - usualMs.from);
  }
}

function drawn(random: number, answers: readonly RecentAnswer[]): RecentAnswer | undefined {
  return answers[Math.floor(random * answers.length)];
}
