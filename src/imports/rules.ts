import type { Tenant } from '../domain/model.ts';
import type { Engine } from './engine.ts';
import { defaultSecondFactor, type Job } from './model.ts';
import type { CreatesOnly, JobRules, RulesOfJob } from './tasks.ts';

/** The sources of rules in addition to the tenant and the job. */
export type RulesSource = Pick<
  Engine,
  'tenantNumbers' | 'allowPlainText' | 'placeSecret' | 'encryptionKeys' | 'now'
>;

/** An upload reads its rules again when they are older than this: tenants are created meanwhile. */
const oldestRulesMs = 1000;

/** For records that belong to no job. */
const withoutJob: RulesOfJob = { onConflict: 'update', dryRun: false, secondFactor: defaultSecondFactor };

/** For senders who may only create users: an existing user who differs is not changed. */
export function creatingOnly(createsOnly: CreatesOnly): RulesOfJob & Pick<JobRules, 'createsOnly'> {
  return { ...withoutJob, onConflict: 'reject', createsOnly };
}

/** The rules by which the records of a job, or of none, are judged now. */
export async function rulesOf(
  source: RulesSource,
  tenant: Tenant,
  { createsOnly, ...job }: RulesOfJob & Pick<JobRules, 'createsOnly'> = withoutJob,
): Promise<JobRules> {
  const { signerKey, pepper, hashLimits } = tenant.settings;
  return {
    tenants: await source.tenantNumbers(tenant.appNo),
    limits: hashLimits,
    signerKey,
    pepper,
    allowPlainText: source.allowPlainText,
    ...(createsOnly !== undefined && { createsOnly }),
    sealing: { appNo: tenant.appNo, keys: source.encryptionKeys },
    onConflict: job.onConflict,
    dryRun: job.dryRun,
    compare: job.compare === true,
    secondFactor: job.secondFactor,
    sameIds: job.sameIds ?? false,
    idPrefix: job.idPrefix,
    restoreRemoved: job.restoreRemoved ?? false,
    placeSecret: source.placeSecret(),
    now: source.now(),
  };
}

/** The rules of one upload: read for its first chunk, and again when they are a second old. Their time is always now. */
export function rulesOfUpload(
  source: RulesSource,
  tenant: Tenant,
  job: Job & Pick<JobRules, 'createsOnly'>,
): () => Promise<JobRules> {
  let latest: { readonly rules: Promise<JobRules>; readonly at: number } | undefined;
  return async () => {
    const now = source.now();
    // The clock may have been set back.
    if (latest === undefined || Math.abs(now - latest.at) >= oldestRulesMs)
      latest = { rules: rulesOf(source, tenant, job), at: now };
    const { rules } = latest;
    try {
      return { ...(await rules), now: source.now() };
    } catch (error) {
      if (latest.rules === rules) latest = undefined;
      throw error;
    }
  };
}
