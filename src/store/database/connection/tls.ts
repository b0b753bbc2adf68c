import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  type ConnectionOptions,
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls';
import { refused, take } from './parameters.ts';
import { codeOf } from '../sqlstate.ts';

/** The driver's `ssl`; `prefer` takes what the server has, and trusts anybody. */
export type Tls = false | 'prefer' | ConnectionOptions;

/** The first three hold nobody off, `require` who only listens, the others impostors: `verify-full` of every kind. */
const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];
type SureMode = Exclude<Mode, 'disable' | 'allow' | 'prefer'>;

/** Whoever Node trusts, in place of a file. */
const system = 'system';

interface Files {
  readonly sslrootcert: string | undefined;
  readonly sslcert: string | undefined;
  readonly sslkey: string | undefined;
  readonly sslpassword: string | undefined;
}

/**
 * Takes libpq's parameters for TLS (PostgreSQL 18 manual, 32.1.2 and 32.19), but that without `sslmode` a server on another
 * host must have it, while libpq would do without in silence, and that without `sslrootcert` the modes that verify go by whom Node trusts, not by a file in the
 * home folder.
 * @param host of the server: a certificate of an address is compared with it
 * @returns undefined when there are none
 * @throws StartupError
 */
export function takeTls(parameters: URLSearchParams, host: string): Tls | undefined {
  const files: Files = {
    sslrootcert: take(parameters, 'sslrootcert'),
    sslcert: take(parameters, 'sslcert'),
    sslkey: take(parameters, 'sslkey'),
    sslpassword: take(parameters, 'sslpassword'),
  };
  const mode = takeMode(parameters) ?? usualMode(files, host);
  checkNegotiation(parameters, isSure(mode));
  if (isSure(mode)) return sureTls(mode, files, host);
  const [inVain] = Object.entries(files).find(([, value]) => value !== undefined) ?? [];
  if (inVain !== undefined) throw refused(inVain, needsSureMode);
  if (mode === undefined) return undefined;
  return mode === 'disable' ? false : 'prefer';
}

function usualMode({ sslrootcert }: Files, host: string): Mode | undefined {
  if (sslrootcert === system) return 'verify-full';
  return isThisMachine(host) ? undefined : 'require';
}

/** No name at all is the driver's default, localhost. */
function isThisMachine(host: string): boolean {
  return /^(|(\/|%2f).*|localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);
}

function isSure(mode: Mode | undefined): mode is SureMode {
  return mode === 'require' || mode === 'verify-ca' || mode === 'verify-full';
}

const needsSureMode = "takes 'sslmode=require' or stricter: add that, best of all 'verify-full'";

/** `ssl=true` is what other drivers have. */
function takeMode(parameters: URLSearchParams): Mode | undefined {
  const [ssl, sslmode] = [take(parameters, 'ssl'), take(parameters, 'sslmode')];
  const words: Readonly<Record<string, Mode>> = { true: 'verify-full', false: 'disable' };
  const written = sslmode ?? (ssl === undefined ? undefined : (words[ssl] ?? ssl));
  const mode = modes.find((each) => each === written);
  if (written !== undefined && mode === undefined)
    throw refused('sslmode', `must be one of ${modes.join(', ')}`);
  return mode;
}

/** It is the driver's to take, which would talk in the clear where there is no TLS to begin with. */
function checkNegotiation(parameters: URLSearchParams, hasTls: boolean): void {
  const negotiation = parameters.get('sslnegotiation') ?? 'postgres';
  if (!['postgres', 'direct'].includes(negotiation))
    throw refused('sslnegotiation', 'must be one of postgres, direct');
  if (negotiation === 'direct' && !hasTls) throw refused('sslnegotiation', needsSureMode);
}

function sureTls(mode: SureMode, files: Files, host: string): ConnectionOptions {
  const { sslrootcert } = files;
  if (sslrootcert === system && mode !== 'verify-full')
    throw refused('sslrootcert', "may be 'system' with 'sslmode=verify-full' only: set that");
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return {
    secureContext: contextOf(files),
    // With certificates of authorities, as in libpq, they count.
    rejectUnauthorized: mode !== 'require' || sslrootcert !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    // Of a name the driver tells TLS, of an address it does not.
    ...(isIP(address) > 0 && { host: address }),
  };
}

/** Made once, for all connections. */
function contextOf(files: Files): SecureContext {
  const { sslrootcert, sslcert, sslkey, sslpassword } = files;
  if ((sslcert === undefined) !== (sslkey === undefined))
    throw refused(
      sslcert === undefined ? 'sslkey' : 'sslcert',
      "needs 'sslcert' and 'sslkey' both: add the other",
    );
  const ca =
    sslrootcert === undefined || sslrootcert === system ? undefined : read('sslrootcert', sslrootcert);
  const own: SecureContextOptions =
    sslcert === undefined || sslkey === undefined
      ? {}
      : { cert: read('sslcert', sslcert), key: read('sslkey', sslkey), passphrase: sslpassword };
  // A file without a certificate would count as one that trusts nobody.
  if (ca !== undefined) check('sslrootcert', () => new X509Certificate(ca));
  return check('sslcert or sslkey', () => createSecureContext({ ...own, ca }));
}

function read(name: keyof Files, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw refused(
      name,
      `names ${file}, which cannot be read (${codeOf(error)}): give the whole path of a PEM file`,
      error,
    );
  }
}

function check<Result>(name: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unusable';
    throw refused(name, `names a file that is not what it should be (${reason}): it must be PEM`, error);
  }
}
