/** Notes about an input before it is read. */

import type { Provider } from '../../exports/providers/provider.ts';
import { encodingByMark } from '../../exports/readers/bytes/encodings.ts';
import type { Reading } from '../../exports/readers/reading.ts';
import type { Surroundings } from '../surroundings.ts';

interface Noted {
  readonly provider: Provider;
  /** The format's options, as they were given. */
  readonly options: Readonly<Record<string, string>>;
  /** The command's options: known passwords prove what a hint would ask for. */
  readonly given: Readonly<Record<string, unknown>>;
}

const signerKeySetting = 'PROVIDER_PASSWORD_HASHING_SIGNER_KEY';

/** What the format requires of the core. */
export function noteHint(
  { provider, options, given }: Noted,
  { stderr, environment }: Pick<Surroundings, 'stderr' | 'environment'>,
): void {
  if (given.canaries !== undefined || given.pairs !== undefined) return;
  const hasSignerKey = Boolean(environment[signerKeySetting] ?? environment[`${signerKeySetting}_FILE`]);
  const hint = provider.hint?.(options, { hasSignerKey });
  if (hint !== undefined) stderr.write(`${hint}\n`);
}

/** A byte order mark that contradicts --encoding: perhaps the option is meant for another file. */
export function noteEncoding(
  start: Uint8Array,
  { encoding }: Pick<Reading, 'encoding'>,
  label: string,
  { stderr }: Pick<Surroundings, 'stderr'>,
): void {
  const marked = encodingByMark(start);
  if (encoding === undefined || marked === undefined || marked.startsWith(encoding)) return;
  stderr.write(
    `${label} begins with the byte order mark of ${marked.toUpperCase()} and is read as ${encoding}, as --encoding says: leave the option out to go by the mark\n`,
  );
}
