import type { Moment } from '../../../load/open-loop.ts';
import { format } from '../../../page/text.ts';
import type { Surroundings } from '../../surroundings.ts';
import type { Live, Step } from '../run.ts';

const linesEveryMs = 5000;
/** Without an answer for so long, the core counts as away. */
const awayMs = 2000;

/** At a terminal a line that changes; elsewhere a line every few seconds. */
export function liveOn({ stderr, now }: Pick<Surroundings, 'stderr' | 'now'>): Live {
  const isTTY = stderr.isTTY === true;
  const write = (line: string): void => void stderr.write(isTTY ? `\r\x1b[K${line}\n` : `${line}\n`);
  let before: Moment | undefined;
  let last = 0;
  let saidAt = 0;
  const answers = watchAnswers((line) => {
    write(line);
  });
  return {
    note: write,
    moment(moment, rate) {
      if (moment.seconds < last) before = undefined;
      answers(moment, moment.seconds < last);
      last = moment.seconds;
      if (now() - saidAt < (isTTY ? 500 : linesEveryMs)) return;
      saidAt = now();
      const line = lineOf(moment, before, rate);
      before = moment;
      stderr.write(isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    },
    step: (step) => {
      write(stepLine(step));
    },
  };
}

/** Reports when visits come and none is answered any more, and the end of that. */
function watchAnswers(say: (line: string) => void): (moment: Moment, isNew: boolean) => void {
  let answered: Moment | undefined;
  let isAway = false;
  return (moment, isNew) => {
    const { ok, failed, arrived, seconds } = moment;
    const isAsked = arrived > ok + failed || failed > (answered?.failed ?? 0);
    if (isNew || ok !== answered?.ok || !isAsked) {
      if (isAway && !isNew) say(`It answers again, ${format(seconds)} s after the start of this stretch`);
      isAway = false;
      answered = moment;
      return;
    }
    if (isAway || (seconds - answered.seconds) * 1000 < awayMs) return;
    isAway = true;
    say(
      `Nothing was answered for ${awayMs / 1000} s: the core, or what is before it, is away or stuck. The load goes on`,
    );
  };
}

function lineOf(moment: Moment, before: Moment | undefined, rate: number): string {
  const { seconds, arrived, ok, failed, turnedAway } = moment;
  const rateNow = (ok - (before?.ok ?? 0)) / Math.max(0.001, seconds - (before?.seconds ?? 0));
  const parts = [
    `${seconds.toFixed(0)} s: ${format(rateNow)}/s of ${format(rate)}/s`,
    `${arrived - ok - failed} wait`,
  ];
  return [
    ...parts,
    ...(turnedAway > 0 ? [`${turnedAway} turned away`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');
}

export function stepLine({ rate, latencyMs, isBorne, broken }: Step): string {
  const figures = `${format(rate)}/s: p50 ${format(latencyMs.p50)} ms, p99 ${format(latencyMs.p99)} ms`;
  return isBorne ? `${figures}, borne` : `${figures}, not borne: ${broken.join(', ')}`;
}
