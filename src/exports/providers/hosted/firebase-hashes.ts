/** The project's hash parameters, and the hash string that carries all of them but the signer key. */

import { scryptVariantPrefix } from '../../../hashes/kinds/firebase-scrypt.ts';
import { lenientBase64Bytes } from '../../../hashes/parts/base64.ts';
import { integerOf, textOf } from '../parts/fields.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { badHash } from '../parts/person.ts';
import type { FoundPassword } from '../parts/person.ts';
import { UnusableExport } from '../provider.ts';
import type { ConvertOptions, ProviderOption, SourceRow } from '../provider.ts';

export const scryptOptions: readonly ProviderOption[] = [
  {
    name: 'firebase-signer-key',
    about: 'base64_signer_key: only checked, the core takes it from its configuration',
    isSecret: true,
  },
  { name: 'firebase-salt-separator', about: 'base64_salt_separator (default Bw==)' },
  { name: 'firebase-rounds', about: 'rounds, 1 to 8 (default 8)' },
  { name: 'firebase-mem-cost', about: 'mem_cost, 1 to 14 (default 14)' },
];

const signerKeyBytes = 64;
/** What Firebase projects have unless they are very old, and what its import takes at most. */
const defaults = { separator: 'Bw==', rounds: 8, memoryCost: 14 } as const;

/** Checks the parameters and fills in the defaults; the key goes no further. @throws UnusableExport */
export function prepareFirebase({ 'firebase-signer-key': key, ...options }: ConvertOptions): ConvertOptions {
  if (key !== undefined && lenientBase64Bytes(key.trim()) !== signerKeyBytes)
    throw new UnusableExport(
      `--firebase-signer-key is not base64 of ${signerKeyBytes} bytes: copy base64_signer_key in full`,
    );
  const separator = options['firebase-salt-separator']?.trim() ?? defaults.separator;
  if (lenientBase64Bytes(separator) === undefined)
    throw new UnusableExport('--firebase-salt-separator is not base64');
  return {
    ...options,
    'firebase-salt-separator': separator,
    'firebase-rounds': parameter(options, 'firebase-rounds', defaults.rounds),
    'firebase-mem-cost': parameter(options, 'firebase-mem-cost', defaults.memoryCost),
  };
}

function parameter(options: ConvertOptions, name: string, most: number): string {
  const value = options[name] === undefined ? most : integerOf(options[name]);
  if (value === undefined || value < 1 || value > most)
    throw new UnusableExport(`--${name} must be a whole number from 1 to ${most}`);
  return String(value);
}

/**
 * `$f_scrypt$hash$salt$m=…$r=…$s=…` of a user.
 * @throws UnusableExport when the export says REDACTED: every user would be locked out
 */
export function variantHash(user: SourceRow, options: ConvertOptions): FoundPassword | undefined {
  const hash = textOf(user.passwordHash);
  if (hash === undefined) return undefined;
  if (isRedacted(hash)) throw new UnusableExport(redacted);
  const salt = textOf(user.salt);
  if (salt === undefined) return badHash('salt', 'the user has a hash and no salt');
  const [memoryCost, rounds] = [options['firebase-mem-cost'] ?? '', options['firebase-rounds'] ?? ''];
  const separator = options['firebase-salt-separator'] ?? '';
  const text = `${scryptVariantPrefix}${hash}$${salt}$m=${memoryCost}$r=${rounds}$s=${separator}`;
  return hashPassword('passwordHash', text, 'provider_scrypt');
}

const redacted =
  'the export has REDACTED in place of password hashes: the account that exported may not read them ' +
  '(permission firebaseauth.configs.getHashConfig); export again as an owner of the project';

/** By the decoded beginning: it is padded in more than one way. Buffer reads both alphabets. */
function isRedacted(hash: string): boolean {
  return Buffer.from(hash.slice(0, 16), 'base64').toString('latin1').startsWith('REDACTED');
}
