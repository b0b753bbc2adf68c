import { asJson } from '../output/answer.ts';
import { count, plural, printable } from '../output/format.ts';
import { describeIncomplete } from '../output/incomplete.ts';
import type { Step } from '../command-error.ts';
import type { TwinFiles } from './files.ts';
import type { MadeTwin } from './make-twin.ts';

export interface TwinOutcome {
  readonly twin: MadeTwin;
  readonly files: TwinFiles;
  readonly next: readonly Step[];
}

export function twinAsJson({ twin, files, next }: TwinOutcome): string {
  const { counts, hasConfig, ...rest } = twin;
  const config = hasConfig ? { config: files.config } : {};
  return asJson(
    'twin',
    { out: files.records, passwords: files.passwords, ...config, ...counts, ...rest },
    next,
  );
}

export function twinAsText({ twin, files, next }: TwinOutcome): string {
  const { counts, originals, scanned, listed, classes, hasConfig, incomplete } = twin;
  const unknown = Object.entries(counts.unknown);
  const lines = [
    `${plural(counts.records, 'record')} written to ${printable(files.records)}, of which an import rejects ${count(counts.rejected)}`,
    ...(counts.stated > 0
      ? [`  ${count(counts.stated)} only state the code: a made-up record would not show the reason`]
      : []),
    ...(counts.leftOut > 0
      ? [`  ${plural(counts.leftOut, 'field')} left out: an import does not read them`]
      : []),
    `${plural(counts.known, 'password')} known, ${count(listed)} of them listed in ${printable(files.passwords)}`,
    ...classes.map(
      ({ kind, users, made }) => `  ${kind}: ${plural(users, 'user')} with ${plural(made, 'password')}`,
    ),
    ...unknown.map(([kind, users]) => `  ${kind}: ${plural(users, 'password')} not known`),
    ...(hasConfig
      ? [`Settings for these hashes, in place of the app's secrets: ${printable(files.config)}`]
      : []),
    `Searched: none of ${plural(originals, 'original value')} of six or more characters is among ${plural(scanned, 'value')} of the twin`,
    ...describeIncomplete(incomplete),
    ...next.map(({ command, reason }) => `Next: ${command} (${reason})`),
  ];
  return `${lines.join('\n')}\n`;
}
