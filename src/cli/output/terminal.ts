/** Results on a terminal: in colour, and wrapped between words. Elsewhere they are the bare text, for programs. */

import { styleText } from 'node:util';
import type { Output, Surroundings } from '../surroundings.ts';

type Style = Parameters<typeof styleText>[0];

/** Whether an output gets colours: by FORCE_COLOR, or else NO_COLOR (no-color.org), or else if a terminal supports them. */
export function hasColours({ isTTY = false }: Output, environment: Surroundings['environment']): boolean {
  const { FORCE_COLOR: forced = '', NO_COLOR: refused = '', TERM: terminal } = environment;
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return refused === '' && isTTY && terminal !== 'dumb';
}

/** @returns the text of an output, formatted for its terminal */
export function forTerminal(text: string, output: Output, environment: Surroundings['environment']): string {
  const { isTTY = false, columns = 0 } = output;
  const isNarrow = isTTY && columns >= narrowest;
  const lines = text.split('\n').flatMap((line) => (isNarrow ? wrapped(line, columns) : [line]));
  return hasColours(output, environment) ? lines.map(painted).join('\n') : lines.join('\n');
}

/** Writes a result. */
export function tell({ stdout, environment }: Surroundings, text: string): void {
  stdout.write(forTerminal(text, stdout, environment));
}

/** With fewer columns hardly a word fits. */
const narrowest = 20;

/**
 * A line in pieces that fit, all after the first slightly indented. A word longer than the terminal is not split, and a command
 * can still be pasted: its line ends are escaped.
 */
export function wrapped(line: string, columns: number): string[] {
  if (line.length <= columns) return [line];
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
  const command = line.search(/(npx --no )?carryover (?=[a-z])/);
  const pieces: string[] = [];
  let piece = '';
  let at = 0;
  for (const word of line.split(/(?<=\S)(?= )/)) {
    const isOfCommand = command >= 0 && at > command;
    const room = columns - (command >= 0 && at >= command ? 2 : 0);
    if (piece !== '' && piece.length + word.length > room) {
      pieces.push(isOfCommand ? `${piece} \\` : piece);
      piece = `${indent}${word.trimStart()}`;
    } else piece += word;
    at += word.length;
  }
  return [...pieces, piece];
}

const some = '[1-9][\\d,]*';
/** The first that fits decides. A zero has no colour. */
const styles: readonly (readonly [RegExp, Style])[] = [
  [new RegExp(`^ {2}${some} can sign in today$`), 'green'],
  [new RegExp(`^ {2}${some} (restricted: .+|imported with something lost)$`), 'yellow'],
  [new RegExp(`^ {2}${some} not imported$`), 'red'],
  [/^ {6}\S/, 'dim'],
  [/^(To |All that |Report and log)/, 'cyan'],
  [/\(job [\w-]+\)/, 'bold'],
];

function painted(line: string): string {
  const style = styles.find(([pattern]) => pattern.test(line))?.[1];
  return style === undefined ? line : styleText(style, line, { validateStream: false });
}
