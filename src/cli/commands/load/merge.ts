import type { Command } from 'commander';
import { carryover } from '../../../process/called.ts';
import { merged } from '../../load/merge/merge.ts';
import { readPart } from '../../load/merge/part.ts';
import { requireWhole } from '../../load/merge/together.ts';
import { addJsonOption, examples, type Frame } from '../command.ts';
import { addResultOptions, giveResult, type ResultOptions } from './result.ts';

/** `load merge`: one result of the machines that have sent a load together. */
export function addMerge(load: Command, { surroundings, action }: Frame): void {
  const command = load
    .command('merge')
    .summary('one result of the machines that sent a load together')
    .description(
      'Adds the results of all machines up, and gives the verdict on the load as a whole. Percentiles are those of all visits, to three digits. It asks no core.',
    )
    .argument('<file...>', "what 'load --share … --json' has printed on each machine");
  addJsonOption(addResultOptions(command))
    .addHelpText('after', examples(`${carryover} load merge 1.json 2.json 3.json --page load.html`))
    .action(
      action(async (files: readonly string[], options: ResultOptions) => {
        const parts = await Promise.all(files.map((file) => readPart(file, surroundings)));
        return giveResult('load merge', merged(requireWhole(parts)), options, surroundings);
      }),
    );
}
