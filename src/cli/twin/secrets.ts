/** The secrets of a twin's hashes, in place of the app's. */

import { randomBytes } from 'node:crypto';
import type { ParsedByKind } from '../../hashes/registry.ts';
import { parseHash } from '../../hashes/recognise.ts';
import { widestLimits } from '../../config/tenant-settings.ts';
import type { HashSecrets } from '../../hashes/kind.ts';
import type { HashClass } from '../../exports/twin/tasks.ts';

const pepperBytes = 18;

/** A signer key with the length of the hashes, and a pepper, if there are hashes that need them. */
export function madeUpSecrets(classes: readonly HashClass[]): HashSecrets {
  const ofScrypt = scryptIn(classes);
  const needsPepper = classes.some(({ kind }) => kind === 'bcrypt_peppered');
  return {
    signerKey: ofScrypt && randomBytes(ofScrypt.hashBytes),
    pepper: needsPepper ? Buffer.from(randomBytes(pepperBytes).toString('base64url')) : undefined,
  };
}

/** As configured; what is not configured counts as if it were, as in a plan. */
export function secretsOrStandIns(
  configured: HashSecrets,
  madeUp: HashSecrets,
  classes: readonly HashClass[],
): HashSecrets {
  const carried = scryptIn(classes)?.signerKey;
  const standIn = carried === undefined ? madeUp.signerKey : Buffer.from(carried, 'base64');
  return {
    signerKey: configured.signerKey ?? standIn,
    pepper: configured.pepper ?? madeUp.pepper,
  };
}

function scryptIn(classes: readonly HashClass[]): ParsedByKind['provider_scrypt'] | undefined {
  const found = classes.find(({ kind }) => kind === 'provider_scrypt');
  const result = found && parseHash(found.hash, 'provider_scrypt', widestLimits);
  return result?.ok === true && result.parsed.kind === 'provider_scrypt' ? result.parsed : undefined;
}

/** Settings of the core that they are imported into; undefined if it needs none. */
export function settingsFor({ signerKey, pepper }: HashSecrets): string | undefined {
  const lines = [
    ...(signerKey === undefined
      ? []
      : [`provider_password_hashing_signer_key: ${Buffer.from(signerKey).toString('base64')}`]),
    ...(pepper === undefined ? [] : [`bcrypt_pepper: ${Buffer.from(pepper).toString('utf8')}`]),
  ];
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}
