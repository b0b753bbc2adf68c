import { carryover } from '../../../process/called.ts';
import type { KeyView } from '../../client/receipts.ts';
import { addServerOptions, type ServerOptions, withCore } from '../../client/server.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../../confirm/confirm.ts';
import { asJson } from '../../output/answer.ts';
import { moment, table } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';

interface KeysOptions extends ServerOptions, ConfirmOptions {
  readonly rotate?: boolean;
  readonly json?: boolean;
}

const path = '/bulk-import/receipt-keys';

/** `receipt-keys`: the public keys by which receipts are checked. */
export const addReceiptKeys: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('receipt-keys')
    .summary('list the public keys of receipts, or make a new one')
    .description(
      'Lists the public keys that sign the receipts of an app, newest first: give them to those who check receipts. Old keys stay listed, so receipts that they signed stay valid.',
    )
    .option('--rotate', 'make a new key, which signs receipts from now on');
  addServerOptions(addJsonOption(addYesOption(command)))
    .addHelpText(
      'after',
      examples(`${carryover} receipt-keys --json > keys.json`, `${carryover} receipt-keys --rotate --yes`),
    )
    .action(action((options: KeysOptions) => showKeys(options, surroundings)));
};

async function showKeys(options: KeysOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt: signal } = surroundings;
  const keys = await withCore(options, surroundings, async ({ client, server }) => {
    if (options.rotate !== true) return client.call<Answer>({ method: 'GET', path, signal });
    const lines = [`Would make a new key, which signs the receipts of ${server.app ?? 'public'} from now on`];
    await confirm({ lines, would: { rotates: server.app ?? 'public' } }, options, surroundings);
    return client.call<Answer>({ method: 'POST', path, input: {}, signal });
  });
  stdout.write(options.json === true ? asJson('receipt-keys', { keys: keys.keys }) : listing(keys.keys));
  return exitCodes.ok;
}

interface Answer {
  readonly keys: readonly KeyView[];
}

function listing(keys: readonly KeyView[]): string {
  if (keys.length === 0) return 'No receipt was made yet: the first one makes the key\n';
  const rows = keys.map(({ ed25519, createdAt, signs, id }) => [
    ed25519,
    moment(createdAt),
    signs ? 'signs' : 'signed before',
    id,
  ]);
  return `${table([['public key (Ed25519)', 'made (UTC)', '', 'id'], ...rows]).join('\n')}\n`;
}
