import { type Command, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { providers } from '../../exports/providers/index.ts';
import { type AddCommand, addJsonOption, addSampleOption } from './command.ts';
import { addShortHelp, type HelpGroup } from './short-help.ts';
import { addServerOptions } from '../client/server.ts';
import { examineLinked, type LinkedOptions } from '../doctor/linked.ts';
import { examineOne } from '../doctor/one.ts';
import { examineDatabaseOf } from '../doctor/database.ts';
import { examineSettings } from '../doctor/settings.ts';
import type { DoctorOptions } from '../doctor/examine.ts';
import { examinePairs } from '../doctor/pairs.ts';
import { addInputOptions } from '../input/input.ts';
import { examineDevice } from '../doctor/totp/one.ts';
import { examineDevices } from '../doctor/totp/pairs.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';

/** `doctor`: finds the fault of a hash, or of the key, pepper or password for its verification; or of a TOTP secret. */
export const addDoctor: AddCommand = (program, { args, surroundings, action }) => {
  const command = program
    .command('doctor')
    .summary('explain a password hash, a TOTP secret, or a database')
    .description(
      'Shows the kind and cost of a hash, or what is wrong with it and the cure. With a known password it tries the usual mistakes: prefixes, encodings, salts, keys, peppers. It changes nothing and shows no secret, and asks a core only for linked.',
    )
    .argument(
      '[hash]',
      'in single quotes, because of the $; - for the standard input; with --totp a secret; env: the settings of a core, and where each comes from; database: what a core would find there, and what a failover would lose; linked: users of a core with several login methods, which an SDK of driver interface 3.x does not see as one',
    )
    .option('--algorithm <name>', 'the hashingAlgorithm of the record; left out: as the hash shows');
  addPasswordOptions(command)
    .option('--pairs <file>', 'many pairs: CSV or NDJSON with hash, hashingAlgorithm, password and email')
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
    )
    .option('--place <name>', 'with database: one of the places of the settings; left out: all of them');
  addProviderFlags(addInputOptions(addServerOptions(addSampleOption(addJsonOption(command)))), providers);
  addShortHelp(command, { groups: mainOptions, examples: exampleLines, args }).action(
    action((hash: string | undefined, options: DoctorOptions & LinkedOptions) => {
      const { pairs } = options;
      if (hash === 'env') return Promise.resolve(examineSettings(options, surroundings));
      if (hash === 'database') return examineDatabaseOf(options, surroundings);
      if (hash === 'linked') return examineLinked(options, surroundings);
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

const exampleLines = [
  `${carryover} doctor '$2y$10$…' --password-file known.txt`,
  `${carryover} doctor --pairs known.csv --export users.json`,
  `${carryover} doctor env --config config.yaml`,
  `${carryover} doctor database`,
  `${carryover} doctor linked`,
  `${carryover} doctor --totp - --code 123456 < secret.txt`,
];

/** The options that `doctor --help` shows without `--all`. */
const mainOptions: readonly HelpGroup[] = [
  [
    'One hash:',
    {
      algorithm: 'its hashingAlgorithm, where it does not show it',
      'password-file': 'file whose first line is the password',
      'password-stdin': 'the first line of the standard input is the password',
    },
  ],
  [
    'Many:',
    {
      pairs: 'CSV or NDJSON of hashes or emails, and passwords',
      export: 'with --pairs: the export that has the hashes',
      from: 'its format; left out: recognised from the content',
      map: "a field and the file's column, such as email=mail",
      'hash-as': 'what hashes are that do not show it, such as md5',
    },
  ],
  [
    'Second factors:',
    { totp: 'a TOTP secret in place of a hash', code: 'a code that the device showed, and when' },
  ],
  [
    'Both:',
    {
      config: "the core's config.yaml, for its keys and ceilings",
      json: 'print one JSON object at the end, and nothing else',
    },
  ],
];

function addPasswordOptions(command: Command): Command {
  return command
    .option('--password-file <file>', 'the first line of this file is the password of the hash')
    .option('--password-stdin', 'the first line of the standard input is the password')
    .addOption(
      new Option(
        '--password <text>',
        'not for real passwords: every user of this machine can see it',
      ).conflicts(['passwordFile', 'passwordStdin']),
    );
}
