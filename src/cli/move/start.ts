import { findProvider } from '../../exports/providers/index.ts';
import { identityOf, readAddress } from '../../exports/sources/engines/address.ts';
import { carryover } from '../../process/called.ts';
import type { StartAnswer } from '../client/moves.ts';
import { withCore } from '../client/server.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { confirm } from '../confirm/confirm.ts';
import { asJson } from '../output/answer.ts';
import { printable } from '../output/format.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { type StartOptions, statusStep } from './options.ts';
import { sourceText } from './text.ts';

/** `move start` */
export async function startMove(
  address: string | undefined,
  options: StartOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const source = {
    system: options.from,
    address: address && databaseOf(address),
    label: options.source ?? '',
  };
  if (findProvider(options.from) === undefined)
    throw new CommandError(
      `There is no format ${JSON.stringify(options.from)}: '${carryover} providers' lists them`,
      {
        field: '--from',
      },
    );
  const shown = sourceText(source);
  await confirm(
    { lines: [`Would start the move from ${shown}`], would: { start: source } },
    options,
    surroundings,
  );
  return withCore({ ...options, writes: true }, surroundings, async ({ client, server }) => {
    const { system, label, address: of } = source;
    const input = {
      system,
      ...(of !== undefined && { address: of }),
      ...(label !== '' && { source: label }),
    };
    const answer = await client.call<StartAnswer>({
      method: 'POST',
      path: '/move',
      input,
      signal: surroundings.interrupt,
    });
    if (answer.status !== 'OK') throw notStarted(answer);
    const next = [statusStep(server)];
    if (options.json === true) surroundings.stdout.write(asJson('move start', { source }, next));
    else tell(surroundings, `Started: the move from ${shown}. The old system leads\n`);
    return exitCodes.ok;
  });
}

/** @throws CommandError for a password, which a shell's history would keep; SourceFault */
function databaseOf(text: string): string {
  const address = readAddress(text, undefined);
  if (address.url.password !== '' || address.url.searchParams.has('password'))
    throw new CommandError('Give the address without its password: only its name is stored', {
      field: 'address',
    });
  return identityOf(address);
}

function notStarted(answer: Exclude<StartAnswer, { status: 'OK' }>): CommandError {
  if (answer.status === 'MOVE_EXISTS_ERROR')
    return new CommandError(
      `The app has a move already, from ${sourceText(answer.source)}: end it first ('${carryover} move close')`,
      { code: answer.status, cure: `end it first: ${carryover} move close` },
    );
  const labels = answer.labels
    .map((label) => (label === '' ? 'no label' : `'${printable(label)}'`))
    .join(', ');
  return new CommandError(
    `No import of the app has this label; there are: ${labels}. Give one of them with --source`,
    {
      code: answer.status,
      field: '--source',
      cure: 'give a label that an import has',
    },
  );
}
