/** The doctor's findings about TOTP secrets, for people and for programs. */

import type { TotpFinding } from '../../../hashes/doctor/totp/examine-totp.ts';
import { asJson } from '../../output/answer.ts';
import { plural, printable } from '../../output/format.ts';

/** A person whose codes are known, and the findings. */
export interface ExaminedDevice {
  /** In the file of codes, from 1. */
  readonly rows: readonly number[];
  readonly email: string;
  readonly finding: TotpFinding;
}

export function findingText(finding: TotpFinding): string {
  return asText(linesOf(finding));
}

export function findingAsJson(finding: TotpFinding): string {
  return asJson('doctor', finding);
}

function linesOf({ code, message, advice }: TotpFinding): string[] {
  return [`${code}: ${message}`, ...advice.map((each) => `- ${each}`)];
}

/** Each finding once, with the users it applies to. */
export function devicesText(devices: readonly ExaminedDevice[]): string {
  const groups = Map.groupBy(devices, ({ finding }) => linesOf(finding).join('\n'));
  const right = devices.filter(({ finding }) => finding.code === 'RIGHT').length;
  return asText([
    `${plural(devices.length, 'person')} examined, ${right} right`,
    ...Array.from(groups, ([text, group]) => [
      `${emailsOf(group)}:`,
      ...text.split('\n').map(indented),
    ]).flat(),
  ]);
}

export function devicesAsJson(devices: readonly ExaminedDevice[]): string {
  const people = devices.map(({ rows, email, finding }) => ({ rows, email, ...finding }));
  return asJson('doctor', { people });
}

const namedPeople = 5;

function emailsOf(group: readonly ExaminedDevice[]): string {
  const named = group.slice(0, namedPeople).map(({ email }) => email);
  const more = group.length > namedPeople ? ` and ${group.length - namedPeople} more` : '';
  return `${named.join(', ')}${more}`;
}

function indented(line: string): string {
  return `  ${line}`;
}

function asText(lines: readonly string[]): string {
  return `${lines.map(printable).join('\n')}\n`;
}
