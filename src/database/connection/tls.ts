import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  type ConnectionOptions,
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls';
import type { Parameters } from './parameters.ts';
import { codeOf } from '../sqlstate.ts';

/** The driver's `ssl`; `prefer` uses TLS if the server has it, and verifies nothing. */
export type Tls = false | 'prefer' | ConnectionOptions;

/** The first three protect against no attacker, `require` against eavesdroppers, the others against impostors too. */
const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];
type SureMode = Exclude<Mode, 'disable' | 'allow' | 'prefer'>;

/** Node's CAs instead of a file. */
const system = 'system';

interface Files {
  readonly sslrootcert: string | undefined;
  readonly sslcert: string | undefined;
  readonly sslkey: string | undefined;
  readonly sslpassword: string | undefined;
}

interface TakenTls {
  /** TLS from the first byte on. */
  readonly isDirect: boolean;
  /** @param host compared with the certificate; a folder is a socket's, without TLS */
  ssl(host: string): Tls;
}

/**
 * Reads libpq's TLS parameters (PostgreSQL 18 manual, 32.1.2 and 32.19), with two differences: without `sslmode`, servers on
 * other hosts must have TLS; without `sslrootcert`, Node's CAs are used instead of a file in the home folder.
 * @throws StartupError, as does `ssl`
 */
export function takeTls(parameters: Parameters): TakenTls {
  // Each is checked before use, so that errors name its origin.
  const files: Files = {
    sslrootcert: parameters.get('sslrootcert'),
    sslcert: parameters.get('sslcert'),
    sslkey: parameters.get('sslkey'),
    sslpassword: parameters.get('sslpassword'),
  };
  const written = modeOf(parameters);
  const negotiation = negotiationOf(parameters);
  const asked = { parameters, files };
  let context: SecureContext | undefined;
  const ssl = (host: string): Tls => {
    if (host.startsWith('/')) return false;
    const mode = written ?? usualMode(files, host);
    if (negotiation === 'direct' && !isSure(mode)) throw parameters.refused('sslnegotiation', needsSureMode);
    if (isSure(mode)) return sureTls(mode, asked, host, (context ??= contextOf(asked)));
    const [inVain] = Object.entries(files).find(([, value]) => value !== undefined) ?? [];
    if (inVain !== undefined) throw parameters.refused(inVain, needsSureMode);
    return mode === 'disable' ? false : 'prefer';
  };
  for (const name of ['ssl', 'sslmode', 'sslnegotiation', ...Object.keys(files)]) parameters.take(name);
  return { isDirect: negotiation === 'direct', ssl };
}

function usualMode({ sslrootcert }: Files, host: string): Mode {
  if (sslrootcert === system) return 'verify-full';
  return isThisMachine(host) ? 'disable' : 'require';
}

function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1)$/i.test(host);
}

function isSure(mode: Mode | undefined): mode is SureMode {
  return mode === 'require' || mode === 'verify-ca' || mode === 'verify-full';
}

const needsSureMode = "takes 'sslmode=require' or stricter: add that, best of all 'verify-full'";

/** Other drivers use `ssl=true`. */
function modeOf(parameters: Parameters): Mode | undefined {
  const [ssl, sslmode] = [parameters.get('ssl'), parameters.get('sslmode')];
  const words: Readonly<Record<string, Mode>> = { true: 'verify-full', false: 'disable' };
  const written = sslmode ?? (ssl === undefined ? undefined : (words[ssl] ?? ssl));
  const mode = modes.find((each) => each === written);
  if (written !== undefined && mode === undefined)
    throw parameters.refused('sslmode', `must be one of ${modes.join(', ')}`);
  return mode;
}

function negotiationOf(parameters: Parameters): 'postgres' | 'direct' {
  const written = parameters.get('sslnegotiation') ?? 'postgres';
  if (written !== 'postgres' && written !== 'direct')
    throw parameters.refused('sslnegotiation', 'must be one of postgres, direct');
  return written;
}

interface Asked {
  readonly parameters: Parameters;
  readonly files: Files;
}

function sureTls(
  mode: SureMode,
  { parameters, files: { sslrootcert } }: Asked,
  host: string,
  secureContext: SecureContext,
): ConnectionOptions {
  if (sslrootcert === system && mode !== 'verify-full')
    throw parameters.refused('sslrootcert', "may be 'system' with 'sslmode=verify-full' only: set that");
  return {
    secureContext,
    // As in libpq, a CA certificate implies verification.
    rejectUnauthorized: mode !== 'require' || sslrootcert !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    // The driver passes a name to TLS, but not an address.
    ...(isIP(host) > 0 && { host }),
  };
}

function contextOf({ parameters, files }: Asked): SecureContext {
  const { sslrootcert, sslcert, sslkey, sslpassword } = files;
  const read = reading(parameters);
  const check = checking(parameters);
  if ((sslcert === undefined) !== (sslkey === undefined))
    throw parameters.refused(
      sslcert === undefined ? 'sslkey' : 'sslcert',
      "needs 'sslcert' and 'sslkey' both: add the other",
    );
  const ca =
    sslrootcert === undefined || sslrootcert === system ? undefined : read('sslrootcert', sslrootcert);
  const own: SecureContextOptions =
    sslcert === undefined || sslkey === undefined
      ? {}
      : { cert: read('sslcert', sslcert), key: read('sslkey', sslkey), passphrase: sslpassword };
  // A file without a certificate would be read as an empty list of CAs.
  if (ca !== undefined) check('sslrootcert', () => new X509Certificate(ca));
  return check('sslcert or sslkey', () => createSecureContext({ ...own, ca }));
}

function reading(parameters: Parameters) {
  return (name: keyof Files, file: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (error) {
      const reason = `cannot be read (${codeOf(error)}): give the whole path of a PEM file`;
      throw parameters.refused(name, `names ${file}, which ${reason}`, error);
    }
  };
}

function checking(parameters: Parameters) {
  return <Result>(name: string, use: () => Result): Result => {
    try {
      return use();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unusable';
      const what = `names a file that is not what it should be (${reason}): it must be PEM`;
      throw parameters.refused(name, what, error);
    }
  };
}
