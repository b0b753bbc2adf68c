import { carryover } from '../../../process/called.ts';
import type { ResealView } from '../../client/views.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../../confirm/confirm.ts';
import { asJson } from '../../output/answer.ts';
import { addServerOptions, type ServerOptions, withCore } from '../../client/server.ts';
import { plural } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';

interface ResealOptions extends ServerOptions, ConfirmOptions {
  readonly json?: boolean;
}

/** `reseal`: the last step of a change of encryption keys. */
export const addReseal: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('reseal')
    .summary('encrypt the secrets of a core with its new key')
    .description(
      "Encrypts signing keys, TOTP secrets and the providers of tenants with the first of the core's encryption_keys, in one transaction. Afterwards the other keys can be removed from the setting.",
    );
  addServerOptions(addJsonOption(addYesOption(command)))
    .addHelpText('after', examples(`${carryover} reseal`, `${carryover} reseal --yes`))
    .action(action((options: ResealOptions) => reseal(options, surroundings)));
};

async function reseal(options: ResealOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const resealed = await withCore(options, surroundings, async ({ client, server }) => {
    const lines = [
      `Would seal the signing keys, TOTP secrets and providers of all apps at ${server.url.origin} with the first of encryption_keys`,
    ];
    await confirm({ lines, would: { reseals: server.url.origin } }, options, surroundings);
    return client.reseal(interrupt);
  });
  stdout.write(options.json === true ? asJson('reseal', resealed) : description(resealed));
  return exitCodes.ok;
}

function description({
  signingKeys,
  providers,
  totpDevices,
  images = 0,
  records = 0,
  settings = 0,
}: ResealView): string {
  const counts = [
    plural(signingKeys, 'signing key'),
    plural(providers, 'tenant provider'),
    plural(totpDevices, 'TOTP secret'),
    ...(settings > 0 ? [plural(settings, 'setting')] : []),
    ...(records > 0 ? [plural(records, 'waiting record')] : []),
    ...(images > 0 ? [`${plural(images, 'secret')} that an undo would bring back`] : []),
  ];
  return `Sealed with the first encryption key: ${counts.join(', ')}\n`;
}
