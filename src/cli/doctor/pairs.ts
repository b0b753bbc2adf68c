import type { Config } from '../../config/load.ts';
import type { DoctorOptions } from './examine.ts';
import { kindToName } from '../../hashes/spellings.ts';
import { type ExaminedPair, isSound, pairsAsJson, pairsText, withSamples } from './report.ts';
import { sampled } from '../output/mask.ts';
import { carryover } from '../../process/called.ts';
import { quoted } from '../confirm/exact.ts';
import { doctorConfig, examineAll, type Question } from './examine.ts';
import { CommandError, type ExitCode, exitCodes, type Step } from '../command-error.ts';
import { printable } from '../output/format.ts';
import { passwordAsOf, statedHash } from '../input/flags/password-as.ts';
import { withInput } from '../input/read-input.ts';
import { findHashes } from '../known/hashes.ts';
import { type KnownPair, readPairs } from '../known/passwords.ts';
import type { Surroundings } from '../surroundings.ts';

/** Examines the pairs of a file, or of a file of passwords and the export that has their hashes. */
export async function examinePairs(
  hash: string | undefined,
  options: DoctorOptions,
  file: string,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (hash !== undefined) throw new CommandError('Give either a hash or --pairs');
  const pairs = await readPairs(file, surroundings);
  const config = doctorConfig(options, surroundings);
  const passwordAs = passwordAsOf(options, surroundings);
  const stated = (question: Question): Question => ({
    ...question,
    hash: statedHash(question.hash, passwordAs),
  });
  const asked =
    options.export === undefined
      ? pairs.map((pair) => ({ pair, question: stated(questionOf(pair, file, options.algorithm)) }))
      : await lookedUp(pairs, options.export, options, { config, surroundings });
  const found = await examineAll(
    config,
    asked.map(({ question }) => question),
  );
  const examined = asked.flatMap(({ pair: { row, email } }, place): ExaminedPair[] => {
    const examination = found[place];
    return examination === undefined ? [] : [{ row, email, examination }];
  });
  const isRight = asked.length === pairs.length && found.every(isSound);
  const shown = withSamples(examined, options);
  const next = isRight ? stepsAfter(file, options) : [];
  surroundings.stdout.write(options.json ? pairsAsJson(shown, next) : pairsText(shown));
  return isRight ? exitCodes.ok : exitCodes.rejects;
}

function stepsAfter(file: string, { export: of, from }: DoctorOptions): Step[] {
  if (of === undefined) return [];
  const format = from === undefined ? '' : ` --from ${from}`;
  return [
    {
      command: `${carryover} import ${quoted(of)}${format} --canaries ${quoted(file)} --dry-run`,
      reason: 'shows what an import would do, after the core has verified the same passwords',
    },
  ];
}

interface Asked {
  readonly pair: KnownPair;
  readonly question: Question;
}

function questionOf(
  { row, hash, password, hashingAlgorithm }: KnownPair,
  file: string,
  named: string | undefined,
): Question {
  if (hash === undefined)
    throw new CommandError(
      `${file}: row ${row} has no hash: add a column hash, or give the export with --export`,
    );
  return { hash, password, hashingAlgorithm: hashingAlgorithm ?? named ?? kindToName(hash) };
}

/** Users who are not in the export are reported, and left out. */
async function lookedUp(
  pairs: readonly KnownPair[],
  file: string,
  options: DoctorOptions,
  { config, surroundings }: { readonly config: Config; readonly surroundings: Surroundings },
): Promise<Asked[]> {
  return withInput(file, options, surroundings, async (input) => {
    const emails = new Set(pairs.flatMap(({ email }) => email ?? []));
    const { hashes, oldSystems } = await findHashes(input, emails, surroundings);
    return pairs.flatMap((pair) => {
      const found = hashes.get(pair.email ?? '');
      if (found !== undefined)
        return [
          {
            pair,
            question: {
              hash: found.passwordHash,
              hashingAlgorithm: found.hashingAlgorithm,
              password: pair.password,
            },
          },
        ];
      const oldSystem = oldSystems.get(pair.email ?? '');
      const obstacle =
        oldSystem === undefined ? 'in the export, or is not in it' : byOldSystem(oldSystem, config);
      const who =
        pair.email === undefined
          ? 'has no email'
          : `${printable(sampled(options)(pair.email))} has no password hash ${obstacle}`;
      surroundings.stderr.write(`Row ${pair.row}: ${who}\n`);
      return [];
    });
  });
}

/** How the user of a record that names an old system signs in, according to the configuration. */
function byOldSystem(name: string, { defaults }: Config): string {
  const isAsked = defaults.legacySources?.some((each) => each.name === name) === true;
  const outcome = isAsked
    ? 'is asked at the first sign-in'
    : 'legacy_sources of this configuration does not have. Set it there or for the app, or let these users reset their passwords';
  return `of its own: the export names the old system '${printable(name)}', which ${outcome}`;
}
