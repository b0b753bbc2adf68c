import { ofCore } from '../../domain/access/act.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { JudgedPassword } from '../../operations/context.ts';
import type { ExportOperations } from '../../operations/export.ts';
import { RecentCache } from '../../store/recent-cache.ts';
import type { Database } from '../../database/database.ts';
import type { FeatureParts, NewHash } from '../feature.ts';
import { openSigningKeys } from '../receipts/feature.ts';
import { type MoveContext, type RecentMove, recentMove } from './context.ts';
import {
  type ChangesAnswer,
  type ChangesInput,
  readChanges,
  settleChanges,
  type SettledAnswer,
} from './changes.ts';
import { LeadingApps } from './leading-apps.ts';
import { moveMetrics } from './metrics.ts';
import { entriesOf, receiptOf } from './receipt.ts';
import { addSecondHash } from './second-hash.ts';
import { countReported, type ReportedSignIn, watchPassword } from './watch.ts';
import { type Instruction, instruct } from './instruction.ts';
import type { Figures, MoveSource, ReportKind } from './model.ts';
import { type MoveStatus, statusOf } from './status.ts';
import { raiseNeeded } from './store/app-triggers.ts';
import { type Settled, tidyJournals } from './store/journal.ts';
import type { Renewal } from './store/leases.ts';
import type { Named } from './store/people.ts';
import { openMoveStores } from './store/store.ts';
import {
  type NoMove,
  type StartAnswer,
  startMove,
  type StepAnswer,
  type StepInput,
  takeStep,
} from './take-step.ts';
import {
  type ClaimAnswer,
  type ClaimInput,
  claimLease,
  type LeaseAnswer,
  releaseLease,
  renewLease,
  report,
} from './work.ts';

export interface MoveOperations {
  /** @throws Refusal INVALID_QUERY_PARAMETER unless one of both is given */
  instruct(tenant: Tenant, named: Named): Promise<Instruction & { readonly status: 'OK' }>;
  status(tenant: Tenant): Promise<MoveStatus | NoMove>;
  /** @param actor in this and the following ones the name of the key */
  start(tenant: Tenant, source: MoveSource, actor: string): Promise<StartAnswer>;
  step(tenant: Tenant, input: StepInput, actor: string): Promise<StepAnswer>;
  report(
    tenant: Tenant,
    kind: ReportKind,
    by: { readonly figures: Figures; readonly actor: string },
  ): Promise<{ readonly status: 'OK' } | NoMove>;
  claim(tenant: Tenant, input: ClaimInput): Promise<ClaimAnswer>;
  renew(tenant: Tenant, renewal: Renewal): Promise<LeaseAnswer>;
  release(tenant: Tenant, lease: Pick<Renewal, 'role' | 'fence'>): Promise<object>;
  /** @throws Refusal INVALID_FIELD for a sign-in without a user */
  countReported(tenant: Tenant, signIns: readonly ReportedSignIn[]): Promise<object>;
  /** @throws Refusal HASH_EXPORT_NOT_ALLOWED */
  changes(
    tenant: Tenant,
    exports: Pick<ExportOperations, 'recordsOf'>,
    input: ChangesInput,
  ): Promise<ChangesAnswer | NoMove>;
  settle(
    tenant: Tenant,
    by: { readonly fence: number; readonly settled: readonly Settled[] },
  ): Promise<SettledAnswer>;
  /** Made once, of the app's last closed move; throws Refusal ENCRYPTION_KEY_MISSING. */
  receipt(tenant: Tenant): ReturnType<typeof receiptOf>;
  /** Packed by gzip; throws Refusal RECEIPT_NOT_MADE. */
  receiptEntries(tenant: Tenant): ReturnType<typeof entriesOf>;
  /** Makes triggers that are missing, and removes those that a step left behind. @returns their number */
  tidy(): Promise<number>;
  /** See Extension, as the following ones. */
  readonly onPassword: (judged: JudgedPassword) => void;
  readonly onNewHash: (made: NewHash) => Promise<void>;
  readonly mayUpgrade: (tenant: Tenant) => Promise<boolean>;
}

export function openMoves(parts: FeatureParts): MoveOperations {
  const context = contextOf(parts);
  const { receipts } = context.stores;
  const signing = {
    receipts,
    signingKey: openSigningKeys(parts),
    version: parts.version,
    now: parts.context.now,
  };
  return {
    async instruct(tenant, named) {
      if ((named.email === undefined) === (named.userId === undefined))
        throw new Refusal('INVALID_QUERY_PARAMETER', "Give one of 'email' and 'userId' in GET request");
      const move = await recentMove(context, tenant.appNo);
      return { status: 'OK', ...(await instruct(move, () => context.stores.people.find({ tenant, named }))) };
    },
    status: (tenant) => statusOf(context, tenant),
    start: (tenant, source, actor) => startMove(context, tenant, source, actor),
    step: (tenant, input, actor) => takeStep(context, tenant, input, actor),
    report: (tenant, kind, by) => report(context, tenant, kind, by),
    claim: (tenant, input) => claimLease(context, tenant, input),
    renew: (tenant, renewal) => renewLease(context, tenant, renewal),
    release: (tenant, lease) => releaseLease(context, tenant, lease),
    countReported: (tenant, signIns) => countReported(context, tenant, signIns),
    changes: (tenant, exports, input) => readChanges(context, exports, tenant, input),
    settle: (tenant, by) => settleChanges(context, tenant, by),
    receipt: (tenant) => receiptOf(signing, tenant),
    receiptEntries: (tenant) => entriesOf(signing, tenant),
    async tidy() {
      const removed = await Promise.all(parts.databases.map(tidied));
      return removed.reduce((sum, each) => sum + each, 0);
    },
    onPassword: (judged) => {
      watchPassword(context, judged);
    },
    onNewHash: (made) => addSecondHash(context, made),
    // The old system could not read the new hash.
    mayUpgrade: async ({ appNo }) => (await context.stores.hashRules.find(appNo)) === undefined,
  };
}

async function tidied(database: Database): Promise<number> {
  await raiseNeeded(database);
  return tidyJournals(database);
}

function contextOf(parts: FeatureParts): MoveContext {
  const { openStores, databases, imports, audit, metrics, log } = parts;
  const { stopped } = moveMetrics(metrics.registry, databases);
  const onLost = (error: unknown): void => {
    log.warn({ err: error }, 'outcomes of sign-ins could not be counted: a fault of the move is seen later');
  };
  return {
    stores: openMoveStores(openStores),
    recent: new RecentCache<RecentMove>(),
    leading: new LeadingApps(databases, onLost),
    hasher: parts.context.hasher,
    tenants: parts.context.stores.tenants,
    cancelJob: (tenant, jobId) => imports.cancel(tenant, jobId),
    onLost,
    onStopped: async ({ appId }, seen) => {
      stopped();
      log.warn({ appId, ...seen }, 'a share has returned to 0, because more users were refused than before');
      await audit.keep({ ...ofCore('move.stop', { ...seen }), appId }, 'OK', seen.refused);
    },
  };
}
