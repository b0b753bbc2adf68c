import { once } from '../../exports/readers/input.ts';
import { carryover } from '../../process/called.ts';
import { withCore } from '../client/server.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { quoted } from '../confirm/exact.ts';
import { asJson } from '../output/answer.ts';
import { writeOut } from '../output/sink.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import type { MoveOptions } from './options.ts';

export interface ReceiptOptions extends MoveOptions {
  readonly out?: string;
  readonly entries?: string;
}

type Answer =
  { readonly status: 'OK'; readonly receipt: object } | { readonly status: 'MOVE_NOT_CLOSED_ERROR' };

/** `move receipt` */
export async function writeReceipt(options: ReceiptOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { out, entries, json } = options;
  const { interrupt: signal, stdout } = surroundings;
  if (json === true && out === undefined)
    throw new CommandError('--json: the standard output is for the answer: name a file with --out', {
      field: '--out',
    });
  await withCore({ ...options, writes: true }, surroundings, async ({ client }) => {
    const answer = await client.call<Answer>({ method: 'POST', path: '/move/receipt', signal });
    if (answer.status !== 'OK') throw notClosed(answer.status);
    await writeOut(once(Buffer.from(`${JSON.stringify(answer.receipt)}\n`)), out, surroundings);
    if (entries !== undefined) await writeOut(await client.moveEntries(signal), entries, surroundings);
  });
  if (out === undefined) return exitCodes.ok;
  const command = `${carryover} verify-receipt ${quoted(out)}`;
  const next = { command, reason: 'checks the receipt without a core' };
  if (json === true) stdout.write(asJson('move receipt', { out, entries }, [next]));
  else tell(surroundings, `The receipt is in ${out}. To check it: ${command}\n`);
  return exitCodes.ok;
}

function notClosed(code: string): CommandError {
  return new CommandError(`The app has no closed move: '${carryover} move close' closes one`, { code });
}
