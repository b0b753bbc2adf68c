/** better-auth's two-factor plugin: the table twoFactor, whose secrets and codes are sealed with the app's secret. */

import { createHash } from 'node:crypto';
import type { NativeTotpDevice } from '../../imports/record/native-record.ts';
import { listInText, plainCodes } from './parts/backup-codes.ts';
import { carries, guards, identifies, leftOut, type Values } from '../fields/declare.ts';
import { ofTheRow } from '../fields/reasons.ts';
import type { Person } from './parts/person.ts';
import { factorIf } from './parts/sign-in-state.ts';
import { openXChaCha } from './parts/xchacha20-poly1305.ts';
import { type ConvertOptions, ExportFault, type ProviderOption } from './provider.ts';

const ofLock = 'A lock after wrong codes ends in time, and the core has its own';

export const factorFields = {
  userId: identifies.id('userId'),
  secret: guards.text('secret'),
  backupCodes: carries.text('backupCodes'),
  isVerified: guards.flag('verified'),
  id: leftOut(ofTheRow, 'id'),
  failures: leftOut(ofLock, 'failedVerificationCount'),
  lockEnd: leftOut(ofLock, 'lockedUntil'),
  createdAt: leftOut(ofTheRow, 'createdAt'),
  updatedAt: leftOut(ofTheRow, 'updatedAt'),
} as const;

type Factors = Pick<Person, 'totpDevices' | 'backupCodes' | 'secondFactors'>;

const secretName = 'better-auth-secret';
/** The result of `prepare`: the secret itself is not sent to the threads. */
const keysName = 'better-auth-keys';

export const secretOption: ProviderOption = {
  name: secretName,
  about:
    'BETTER_AUTH_SECRET (or several as BETTER_AUTH_SECRETS has them: 2:new,1:old): opens secrets and backup codes of the two-factor plugin',
  isSecret: true,
};

/** @throws ExportFault */
export function prepareSecret(options: ConvertOptions): ConvertOptions {
  const { [secretName]: secret, ...rest } = options;
  if (secret === undefined) return options;
  if (secret === '')
    throw new ExportFault(`--${secretName} is empty: give the secret, or leave the flag out`);
  const keys = secretsIn(secret).map((each) => createHash('sha256').update(each).digest('hex'));
  return { ...rest, [keysName]: keys.join(',') };
}

/** A secret may contain a comma: which of them it is shows when one opens. */
function secretsIn(text: string): readonly string[] {
  const parts = [text, ...text.split(','), ...text.split(/,(?=\s*\d+:)/)].map((each) => each.trim());
  return [...new Set([text, ...parts, ...parts.map((each) => each.replace(/^\d+:/, ''))])];
}

/**
 * @param isOn whether the user has enabled it @param rows of the table twoFactor; undefined when it is not given
 * @throws ExportFault when the secret is wrong: no record could be read
 */
export function betterAuthFactors(
  isOn: boolean,
  rows: readonly Values<typeof factorFields>[] | undefined,
  options: ConvertOptions,
): Factors {
  const row = rows?.find(({ isVerified }) => isVerified !== false);
  const sealed = row?.secret;
  if (!isOn || sealed === undefined) return { secondFactors: factorIf(isOn, 'other') };
  const keys = options[keysName]?.split(',').map((each) => Buffer.from(each, 'hex'));
  if (keys === undefined) return { secondFactors: factorIf(true, 'totp') };
  return {
    totpDevices: [deviceOf(requireOpen(sealed, keys))],
    backupCodes: codesOf(row?.backupCodes, keys),
  };
}

/** The plugin uses the text's own bytes as the key, unless it came from elsewhere. */
function deviceOf(secret: string): NativeTotpDevice {
  const [, base32] = /^base32:(.*)$/s.exec(secret) ?? [];
  return base32 === undefined ? { secretKey: secret, secretEncoding: 'text' } : { secretKey: base32 };
}

/** An app may store them in clear text. */
function codesOf(text: string | undefined, keys: readonly Buffer[]) {
  if (text === undefined) return [];
  return plainCodes(listInText(text.startsWith('[') ? text : requireOpen(text, keys)));
}

function requireOpen(text: string, keys: readonly Buffer[]): string {
  const sealed = Buffer.from(text.replace(/^\$ba\$\d+\$/, ''), 'hex');
  for (const key of keys) {
    const opened = openXChaCha(sealed, key);
    if (opened !== undefined) return opened.toString('utf8');
  }
  throw new ExportFault(
    `--${secretName} does not open the table twoFactor: give the secret of this database, and older ones behind commas`,
  );
}
