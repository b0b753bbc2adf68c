import { readFileSync } from 'node:fs';
import type { SslOptions } from 'mysql2';
import { codeOf } from '../../../database/sqlstate.ts';
import { SourceFault } from '../fault.ts';

/** By the names of libpq and of MySQL's own programs. */
const modes: Readonly<Partial<Record<string, SslOptions | 'none'>>> = {
  disable: 'none',
  disabled: 'none',
  require: { rejectUnauthorized: false },
  required: { rejectUnauthorized: false },
  'verify-ca': { rejectUnauthorized: true },
  verify_ca: { rejectUnauthorized: true },
  'verify-full': { rejectUnauthorized: true, verifyIdentity: true },
  verify_identity: { rejectUnauthorized: true, verifyIdentity: true },
};

/**
 * Removes `sslmode` (`ssl-mode`) and `sslrootcert` (`ssl-ca`) from an address. Without a mode a server on another host must have
 * TLS.
 * @returns undefined for none @throws SourceFault
 */
export function takeMysqlTls(parameters: URLSearchParams, host: string): SslOptions | undefined {
  const mode = take(parameters, 'sslmode', 'ssl-mode')?.toLowerCase();
  const file = take(parameters, 'sslrootcert', 'ssl-ca');
  const usual = file !== undefined ? 'verify-full' : isThisMachine(host) ? 'disable' : 'require';
  const found = modes[mode ?? usual];
  if (found === undefined)
    throw new SourceFault('The address: sslmode must be one of disable, require, verify-ca, verify-full');
  if (found === 'none') {
    if (file === undefined) return undefined;
    throw new SourceFault("The address: sslrootcert takes 'sslmode=verify-ca' or stricter: add that");
  }
  return file === undefined ? found : { ...found, rejectUnauthorized: true, ca: read(file) };
}

function take(parameters: URLSearchParams, ...names: readonly string[]): string | undefined {
  const values = names.map((name) => parameters.get(name) ?? undefined);
  for (const name of names) parameters.delete(name);
  return values.find((value) => value !== undefined);
}

function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SourceFault(
      `The address: sslrootcert names ${file}, which cannot be read (${codeOf(error)}): give the whole path of a PEM file`,
      { cause: error },
    );
  }
}
