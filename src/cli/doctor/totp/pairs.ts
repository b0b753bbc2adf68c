import { examineTotp, type TotpFinding } from '../../../hashes/doctor/totp/examine-totp.ts';
import type { KnownCode } from '../../../hashes/doctor/totp/readings.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { withInput } from '../../input/read-input.ts';
import { knownCode } from '../../known/codes.ts';
import { findDevices, type FoundDevice } from '../../known/devices.ts';
import { type KnownPair, readPairs } from '../../known/passwords.ts';
import { printable } from '../../output/format.ts';
import { sampled } from '../../output/mask.ts';
import type { Surroundings } from '../../surroundings.ts';
import type { DoctorOptions } from '../examine.ts';
import { devicesAsJson, devicesText, type ExaminedDevice } from './report.ts';

/** A person in the file of codes. */
interface Known {
  readonly email: string;
  readonly rows: readonly number[];
  readonly codes: readonly KnownCode[];
}

/** Examines the devices of an export, by known codes of some people. Several rows of one person are several codes. */
export async function examineDevices(
  secret: string | undefined,
  options: DoctorOptions,
  file: string,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (secret !== undefined) throw new CommandError('Give either a secret or --pairs');
  if (options.export === undefined)
    throw new CommandError('--totp with --pairs needs the export that has the secrets: --export');
  const known = peopleOf(await readPairs(file, surroundings), file, surroundings);
  const devices = await lookedUp(known, options.export, options, surroundings);
  const show = sampled(options);
  const examined = known.flatMap(({ email, rows, codes }): ExaminedDevice[] => {
    const own = devices.get(email) ?? [];
    if (own.length > 0) return [{ email: show(email), rows, finding: bestOf(own, codes) }];
    const why = devices.has(email) ? 'has no TOTP secret in the export' : 'is not in the export';
    surroundings.stderr.write(`${printable(show(email))} ${why}\n`);
    return [];
  });
  surroundings.stdout.write(options.json === true ? devicesAsJson(examined) : devicesText(examined));
  const isSound =
    examined.length === known.length && examined.every(({ finding }) => finding.code === 'RIGHT');
  return isSound ? exitCodes.ok : exitCodes.rejects;
}

/** @throws CommandError, which names the row */
function peopleOf(pairs: readonly KnownPair[], file: string, { now }: Surroundings): Known[] {
  const rows = pairs.map(({ row, email, code, time }) => {
    const where = `${file}: row ${row}`;
    if (email === undefined || code === undefined || time === undefined)
      throw new CommandError(`${where} needs an email, a code and its time`);
    return { row, email, code: knownCode(where, code, time, now()) };
  });
  return [...Map.groupBy(rows, ({ email }) => email)].map(([email, own]) => ({
    email,
    rows: own.map(({ row }) => row),
    codes: own.map(({ code }) => code),
  }));
}

function lookedUp(
  known: readonly Known[],
  file: string,
  options: DoctorOptions,
  surroundings: Surroundings,
): Promise<ReadonlyMap<string, readonly FoundDevice[]>> {
  const emails = new Set(known.map(({ email }) => email));
  return withInput(file, options, surroundings, (input) => findDevices(input, emails, surroundings));
}

const order = ['RIGHT', 'READ_OTHERWISE', 'NO_READING'];

/** Of several devices the one that the codes belong to. The secrets are as in the record, so the record's own reading comes first. */
function bestOf(devices: readonly FoundDevice[], codes: readonly KnownCode[]): TotpFinding {
  const findings = devices.map(({ secretKey: secret, ...stated }) =>
    examineTotp({ secret, codes, stated, documented: stated.encoding }),
  );
  const [best] = findings.toSorted((one, other) => order.indexOf(one.code) - order.indexOf(other.code));
  if (best === undefined) throw new Error('nothing was examined');
  return best;
}
