import { type Command, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { providers } from '../../exports/providers/index.ts';
import { type AddCommand, examples, addJsonOption, addSampleOption } from './command.ts';
import { examineOne } from '../doctor/one.ts';
import type { DoctorOptions } from '../doctor/examine.ts';
import { examinePairs } from '../doctor/pairs.ts';
import { addInputOptions } from '../input/input.ts';
import { examineDevice } from '../doctor/totp/one.ts';
import { examineDevices } from '../doctor/totp/pairs.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';

/** `doctor`: what is wrong with a hash, or with the key, pepper or password that it is verified with; or with a TOTP secret. */
export const addDoctor: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('doctor')
    .summary(
      'show what a password hash is, and why a password does not match it; or how to read a TOTP secret',
    )
    .description(
      'Names the kind of a hash and its cost, or what is wrong with it and the cure. With a known password tries what usually goes wrong: prefixes, encodings, salts, keys, peppers. Asks no core, changes nothing, shows no secret.',
    )
    .argument('[hash]', 'in single quotes, because of the $; - for the standard input; with --totp a secret')
    .option('--algorithm <name>', 'the hashingAlgorithm that the import says; left out: as the hash tells');
  addPasswordOptions(command)
    .option('--pairs <file>', 'many at once: CSV or NDJSON with hash, hashingAlgorithm, password and email')
    .option('--export <file>', 'with --pairs of email and password: the hashes are looked up in this export')
    .option('--totp', 'not a hash but a TOTP secret, or its otpauth:// URL: how it has to be read')
    .option(
      '--code <code[@time]>',
      'with --totp: a code that the device showed, and when (ISO 8601; left out: now); two settle it',
      (code: string, others: readonly string[] | undefined) => [...(others ?? []), code],
    )
    .option(
      '--config <file>',
      "the core's config.yaml, for its keys and ceilings; its environment variables count too",
    );
  addProviderFlags(addInputOptions(addSampleOption(addJsonOption(command))), providers)
    .addHelpText(
      'after',
      examples(
        `${carryover} doctor '$2y$10$…' --password-file known.txt`,
        `${carryover} doctor --totp - --code 123456@2026-01-31T12:00:00Z < secret.txt`,
        `${carryover} doctor --totp --pairs codes.csv --export realm.json`,
        `${carryover} doctor --pairs known.csv --export users.json --from firebase --firebase-signer-key …`,
      ),
    )
    .action(
      action((hash: string | undefined, options: DoctorOptions) => {
        const { pairs } = options;
        if (options.totp === true)
          return pairs === undefined
            ? examineDevice(hash, options, surroundings)
            : examineDevices(hash, options, pairs, surroundings);
        return pairs === undefined
          ? examineOne(hash, options, surroundings)
          : examinePairs(hash, options, pairs, surroundings);
      }),
    );
};

function addPasswordOptions(command: Command): Command {
  return command
    .option('--password-file <file>', 'the first line of this file is the password of the hash')
    .option('--password-stdin', 'the first line of the standard input is')
    .addOption(
      new Option(
        '--password <text>',
        'not for real passwords: every user of this machine can see it',
      ).conflicts(['passwordFile', 'passwordStdin']),
    );
}
