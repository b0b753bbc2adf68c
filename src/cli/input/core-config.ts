import path from 'node:path';
import { type Config, loadConfig } from '../../config/load.ts';
import type { Surroundings } from '../surroundings.ts';

/** Secrets given to the command; they take precedence over the configuration, because the core will be given them. */
export interface GivenSecrets {
  readonly signerKey: string | undefined;
  readonly pepper: string | undefined;
}

/** The secrets among the flags of a provider. */
export function secretsOf(options: Readonly<Record<string, string>>): GivenSecrets {
  return { signerKey: options['firebase-signer-key'], pepper: options.pepper };
}

/**
 * The configuration of the core that the users will be imported into.
 * @param file config.yaml; the environment counts too @throws ConfigError
 */
export function coreConfig(
  file: string | undefined,
  { signerKey, pepper }: GivenSecrets,
  { environment, folder }: Pick<Surroundings, 'environment' | 'folder'>,
): Config {
  return loadConfig({
    file: file && path.resolve(folder, file),
    takesForeign: true,
    environment: {
      ...environment,
      ...(signerKey !== undefined && { PROVIDER_PASSWORD_HASHING_SIGNER_KEY: signerKey }),
      ...(pepper !== undefined && { BCRYPT_PEPPER: pepper }),
    },
  });
}
