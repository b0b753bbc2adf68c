import type { Config } from '../../../config/load.ts';
import type { HashPolicy } from '../../../domain/model.ts';
import { tenantProperties } from '../../../config/schema-tenant.ts';
import { hashLimitKeys, widestLimits } from '../../../config/tenant-settings.ts';
import type { CoreSettings } from './private-core.ts';
import type { Survey } from '../survey.ts';

/** What a person configured, as far as it decides how an import goes, and whatever lets all of the file in. */
export function settingsFor(config: Config, { secrets }: Survey): CoreSettings {
  const signerKey = secrets.signerKey && Buffer.from(secrets.signerKey).toString('base64');
  return {
    import_lanes: config.importLanes,
    import_chunk_bytes: config.importChunkBytes,
    import_memory_budget_mb: config.importMemoryBudgetBytes / bytesPerMiB,
    postgresql_connection_pool_size: config.connectionPoolSize,
    hashing_threads: config.hashingThreads,
    hashing_memory_budget_mb: widestLimits.argon2MaxMemoryKb / 1024,
    ...policySettings(config.hashPolicy),
    ...Object.fromEntries(Object.values(hashLimitKeys).map((key) => [key, tenantProperties[key].maximum])),
    ...(signerKey !== undefined && { provider_password_hashing_signer_key: signerKey }),
    bcrypt_pepper: Buffer.from(secrets.pepper).toString('utf8'),
    allow_plain_text_import: true,
    // The sign-ins that are measured come from one address, and what an upgrade costs is measured apart.
    guesses_per_account: 0,
    guesses_per_address: 0,
    upgrade_password_hashes: false,
  };
}

const bytesPerMiB = 1_048_576;

function policySettings(policy: HashPolicy): CoreSettings {
  if (policy.algorithm === 'BCRYPT')
    return { password_hashing_alg: 'BCRYPT', bcrypt_log_rounds: policy.logRounds };
  return {
    password_hashing_alg: 'ARGON2',
    argon2_memory_kb: policy.memoryKb,
    argon2_iterations: policy.iterations,
    argon2_parallelism: policy.parallelism,
  };
}
