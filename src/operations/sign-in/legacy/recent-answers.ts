interface RecentAnswer {
  readonly ms: number;
  readonly hasFailed: boolean;
}

const most = 64;
/** As an answer over a network takes, until one has come. */
const usualMs = { from: 80, to: 240 };

/**
 * How the source answered lately, for those about whom it is not asked: they wait as long as others did, and hear that it
 * cannot be reached as often as others did. Wrong passwords and failures only, as theirs are.
 */
export class RecentAnswers {
  readonly #answers: RecentAnswer[] = [];
  #next = 0;

  add(answer: RecentAnswer): void {
    this.#answers[this.#next] = answer;
    this.#next = (this.#next + 1) % most;
  }

  /** @param random 0 to 1 */
  draw(random: number): RecentAnswer {
    const drawn = this.#answers[Math.floor(random * this.#answers.length)];
    return drawn ?? { ms: usualMs.from + random * (usualMs.to - usualMs.from), hasFailed: false };
  }

  /** Of answers only. @param random 0 to 1 */
  drawMs(random: number): number {
    const answered = this.#answers.filter(({ hasFailed }) => !hasFailed);
    return (answered[Math.floor(random * answered.length)] ?? this.draw(random)).ms;
  }
}
