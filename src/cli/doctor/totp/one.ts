import { examineTotp, type StatedDevice } from '../../../hashes/doctor/totp/examine-totp.ts';
import { documentedEncoding } from '../../../hashes/doctor/totp/sources.ts';
import { codeAlgorithms } from '../../../hashes/parts/one-time-code.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { knownCode } from '../../known/codes.ts';
import { stdinText } from '../../input/stdin-text.ts';
import type { Surroundings } from '../../surroundings.ts';
import type { DoctorOptions } from '../examine.ts';
import { findingAsJson, findingText } from './report.ts';

/** Examines one TOTP secret. @throws CommandError when it, or a code for it, is not given */
export async function examineDevice(
  argument: string | undefined,
  options: DoctorOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (options.export !== undefined)
    throw new CommandError('--export goes with --pairs, a file of emails and codes');
  if (argument === undefined)
    throw new CommandError('Give a TOTP secret, - for the standard input, or --pairs with a file');
  const codes = (options.code ?? []).map((each) => codeOf(each, surroundings.now()));
  if (codes.length === 0)
    throw new CommandError(
      'Give a code that the device showed, and when: --code 123456@2026-01-31T12:00:00Z',
    );
  if (new Set(codes.map(({ code }) => code.length)).size > 1)
    throw new CommandError('--code: the codes of one device have one length');
  const text = (argument === '-' ? await stdinText(surroundings) : argument).trim();
  const { secret, stated } = text.startsWith('otpauth://') ? ofUrl(text) : { secret: text, stated: {} };
  if (secret === '') throw new CommandError('The TOTP secret is empty');
  const finding = examineTotp({ secret, codes, stated, documented: documentedEncoding(options.from) });
  surroundings.stdout.write(options.json === true ? findingAsJson(finding) : findingText(finding));
  return finding.code === 'RIGHT' ? exitCodes.ok : exitCodes.rejects;
}

function codeOf(given: string, now: number) {
  const [code = '', ...rest] = given.split('@');
  return knownCode('--code', code, rest.length === 0 ? undefined : rest.join('@'), now);
}

/** The key URI format of authenticator apps. */
function ofUrl(text: string): { readonly secret: string; readonly stated: StatedDevice } {
  if (!URL.canParse(text) || !text.startsWith('otpauth://totp/'))
    throw new CommandError('The secret is no URL of the form otpauth://totp/…?secret=…');
  const { searchParams } = new URL(text);
  const numberOf = (name: string) => {
    const value = searchParams.get(name);
    return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
  };
  const algorithm = searchParams.get('algorithm')?.toUpperCase().replace('-', '');
  const stated = {
    algorithm: codeAlgorithms.find((each) => each === algorithm),
    digits: numberOf('digits'),
    period: numberOf('period'),
  };
  return { secret: searchParams.get('secret') ?? '', stated };
}
