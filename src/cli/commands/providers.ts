import { carryover } from '../../process/called.ts';
import { providers } from '../../exports/providers/index.ts';
import type { Provider } from '../../exports/providers/provider.ts';
import { type AddCommand, examples, addJsonOption } from './command.ts';
import { exitCodes } from '../command-error.ts';
import { flagTexts } from '../input/flags/provider-flags.ts';
import { asJson } from '../output/answer.ts';

/** `providers`: the supported formats. */
export const addProviders: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('providers')
    .summary('list the formats that import reads')
    .description('Lists the formats that import, convert and inspect read, with the options of each.');
  addJsonOption(command)
    .addHelpText('after', examples(`${carryover} providers`))
    .action(
      action(({ json }: { json?: boolean }) => {
        surroundings.stdout.write(json ? providersAsJson() : providers.map(describe).join('\n'));
        return Promise.resolve(exitCodes.ok);
      }),
    );
};

function providersAsJson(): string {
  const views = providers.map(({ name, title, about, options = [] }) => ({ name, title, about, options }));
  return asJson('providers', { providers: views }, [
    { command: `${carryover} inspect FILE`, reason: 'recognises the format of a file by its content' },
  ]);
}

function describe(provider: Provider): string {
  const { name, title, about } = provider;
  return [`${name}: ${title}`, about, ...flagTexts(provider)]
    .map((line, at) => `${at > 0 ? '  ' : ''}${line}\n`)
    .join('');
}
