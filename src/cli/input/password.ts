/** A password that is typed, or read from the standard input: never an argument, which other users of the machine see. */

import { CommandError, Interrupted } from '../command-error.ts';
import type { Input, Surroundings } from '../surroundings.ts';
import { stdinText } from './stdin-text.ts';

/** Asks at a terminal; otherwise reads the first line of the standard input. @throws CommandError without a line */
export async function readPassword(surroundings: Surroundings): Promise<string> {
  const { stdin, stderr } = surroundings;
  if (stdin.isTTY !== true) return required(firstLine(await stdinText(surroundings)));
  stderr.write('Password (it is not shown): ');
  const password = await typedUnseen(stdin);
  stderr.write('\n');
  return required(password);
}

function required(password: string): string {
  if (password === '')
    throw new CommandError('No password was given: type it, or send it to the standard input');
  return password;
}

function firstLine(text: string): string {
  return (text.replace(/^\ufeff/, '').split('\n')[0] ?? '').replace(/\r$/, '');
}

const controlC = '\u0003';
const rubouts = ['\u007f', '\b'];

/** Without echo, a terminal sends each key as it is pressed, and leaves Ctrl-C to the program. */
async function typedUnseen(stdin: Input): Promise<string> {
  stdin.setRawMode?.(true);
  try {
    const typed: string[] = [];
    for await (const part of stdin) {
      for (const key of Buffer.from(part).toString('utf8')) {
        if (key === '\r' || key === '\n') return typed.join('');
        if (key === controlC) throw new Interrupted('Stopped.');
        if (rubouts.includes(key)) typed.pop();
        else typed.push(key);
      }
    }
    return typed.join('');
  } finally {
    stdin.setRawMode?.(false);
  }
}
