import { SingleBar } from 'cli-progress';
import { bytes, count, duration } from './format.ts';
import type { Output } from '../surroundings.ts';

/** How far something is. */
export interface Position {
  /** Of the file. */
  readonly bytes: number;
  readonly records: number;
  readonly rejected: number;
}

/** Shows progress: a bar on a terminal, a line every few seconds elsewhere. */
export interface Progress {
  update(position: Position): void;
  /** A separate line, above the bar. */
  note(text: string): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly output: Output;
  readonly totalBytes: number;
  readonly now: () => number;
  /** The measure of progress in a plain line; left out: the bytes. */
  readonly of?: string;
  /** The unit that is counted; a user if left out. */
  readonly noun?: string;
}

/** ms between plain lines */
const lineIntervalMs = 5000;

export function createProgress(options: ProgressOptions): Progress {
  return options.output.isTTY ? barProgress(options) : lineProgress(options);
}

function barProgress({ output, totalBytes, now, noun }: ProgressOptions): Progress {
  const rate = new Rate();
  const bar = new SingleBar({
    stream: output,
    format: '{bar} {percentage}%  {records}  {left}',
    barsize: barSize(output.columns),
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    // Notes are written between two drawings.
    fps: 8,
    // The command handles Ctrl-C and explains how to continue.
    gracefulExit: false,
  });
  bar.start(totalBytes, 0, { records: recordsOf(nothing, rate, noun), left: '' });
  return {
    update(position) {
      rate.add({ at: now(), ...position });
      const left = rate.secondsLeft(totalBytes - position.bytes);
      bar.update(Math.min(position.bytes, totalBytes), {
        records: recordsOf(position, rate, noun),
        left: left === undefined ? '' : `${duration(left)} left`,
      });
    },
    note(text) {
      output.write(`\r\x1b[K${text}\n`);
      bar.render();
    },
    stop: () => {
      bar.stop();
    },
  };
}

const nothing: Position = { bytes: 0, records: 0, rejected: 0 };

/** The text next to it takes about 50. */
function barSize(columns = 80): number {
  return Math.min(40, Math.max(10, columns - 56));
}

function lineProgress({ output, totalBytes, now, noun, of = bytes(totalBytes) }: ProgressOptions): Progress {
  const rate = new Rate();
  let lastLineAt = now();
  let isAllSaid = false;
  return {
    update(position) {
      rate.add({ at: now(), ...position });
      // Work after the last record is reported by notes.
      const isAll = position.bytes >= totalBytes;
      if (now() - lastLineAt < lineIntervalMs || (isAll && isAllSaid)) return;
      lastLineAt = now();
      isAllSaid = isAll;
      const left = rate.secondsLeft(totalBytes - position.bytes);
      const share = totalBytes === 0 ? 100 : Math.floor((position.bytes * 100) / totalBytes);
      const rest = left === undefined || isAll ? '' : `, ${duration(left)} left`;
      output.write(`${share}% of ${of}, ${recordsOf(position, rate, noun)}${rest}\n`);
    },
    note: (text) => void output.write(`${text}\n`),
    stop: () => undefined,
  };
}

function recordsOf({ records, rejected }: Position, rate: Rate, noun = 'user'): string {
  const speed = rate.recordsPerSecond;
  return [
    `${count(records)} ${noun}s`,
    ...(speed === undefined ? [] : [`${count(speed)}/s`]),
    ...(rejected > 0 ? [`${count(rejected)} rejected`] : []),
  ].join(', ');
}

interface Sample {
  /** ms */
  readonly at: number;
  readonly bytes: number;
  readonly records: number;
}

const windowMs = 30_000;

/** Records a second and time left, over the last half minute: an average since the start hides that it became slower. */
export class Rate {
  readonly #samples: Sample[] = [];

  add(sample: Sample): void {
    this.#samples.push(sample);
    while (this.#samples.length > 2 && sample.at - (this.#samples[0]?.at ?? 0) > windowMs)
      this.#samples.shift();
  }

  /** undefined while unknown. */
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
