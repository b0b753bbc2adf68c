/** A move in words. */
import type { MoveView, ObjectionView, SourceView, StandingView } from '../client/moves.ts';
import { count, duration, moment, plural, printable, table } from '../output/format.ts';

export function sourceText({ system, address, label }: SourceView): string {
  const name = label === '' ? printable(system) : `${printable(system)}, imports of '${printable(label)}'`;
  return address === undefined ? name : `${name}, ${printable(address)}`;
}

export function standingText({ stage, share }: StandingView): string {
  if (stage === 'leading') return `leading, ${share} % of the users sign in here`;
  if (stage !== 'closed') return stage;
  return share > 0 ? 'closed, all users sign in here' : 'abandoned, the old system stays';
}

export function objectionLines(objections: readonly ObjectionView[]): string[] {
  return objections.flatMap(({ code, message, cure }) => [
    `  ${code}: ${printable(message)}`,
    `    ${printable(cure)}`,
  ]);
}

export function statusText(move: MoveView): string {
  const { source, startedAt, stageAt, objections } = move;
  const lines = [
    `Move from ${sourceText(source)}, since ${moment(startedAt)} UTC`,
    `Stage: ${standingText(move)} (since ${moment(stageAt)} UTC)`,
    ...move.processes.map(processLine),
    ...Object.entries(move.reports).map(reportLine),
    ...refusalLines(move.refusals),
    ...waitingLines(move.waiting),
    ...(objections.length === 0 ? [] : ['Against the next step:', ...objectionLines(objections)]),
    'History, newest first:',
    ...table(move.history.map(historyRow)).map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

const processNames = { follow: 'Follower', 'write-back': 'Write-back' } as const;

function processLine({ role, holder, isHeld, lagMs }: MoveView['processes'][number]): string {
  const lag = lagMs === undefined ? 'its lag is not known yet' : `${duration(lagMs / 1000)} late`;
  return `${processNames[role]}: ${isHeld ? `${printable(holder)}, ${lag}` : 'not running'}`;
}

const reportNames: Readonly<Record<string, string>> = {
  plan: 'Plan',
  canaries: 'Canaries',
  comparison: 'Comparison',
  'way-back': 'Way back',
};

function reportLine([kind, { at, figures }]: [string, MoveView['reports'][string]]): string {
  return `${reportNames[kind] ?? printable(kind)}: ${moment(at)} UTC, ${figuresText(figures)}`;
}

function figuresText(figures: Readonly<Record<string, unknown>>): string {
  return Object.entries(figures)
    .flatMap(([name, value]) =>
      typeof value === 'number' && name !== 'tookMs' ? [`${printable(name)} ${count(value)}`] : [],
    )
    .join(', ');
}

function refusalLines({ before, here }: MoveView['refusals']): string[] {
  const part = (value: number): string => `${Number((value * 100).toPrecision(2))} %`;
  return [
    ...(before.users > 0
      ? [`Refused at the old system: ${count(before.refused)} of ${count(before.users)} users`]
      : []),
    ...(here
      ? [
          `Refused here: ${count(here.refused)} of ${count(here.users)} users; without a fault ${part(here.refusedBefore)}`,
        ]
      : []),
  ];
}

function waitingLines({ users, conflicts, since }: MoveView['waiting']): string[] {
  return [
    ...(since === null ? [] : [`Not written back: ${plural(users, 'user')}, since ${moment(since)} UTC`]),
    ...(conflicts === 0 ? [] : [`Changed on both sides, not written back: ${plural(conflicts, 'user')}`]),
  ];
}

function historyRow({ at, kind, actor, ...standing }: MoveView['history'][number]): string[] {
  return [moment(at), printable(kind), standingText(standing), printable(actor)];
}
