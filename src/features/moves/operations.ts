import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import { RecentCache } from '../../store/recent-cache.ts';
import type { FeatureParts } from '../feature.ts';
import { type MoveContext, type RecentMove, recentMove } from './context.ts';
import { type Instruction, instruct } from './instruction.ts';
import type { Figures, MoveSource, ReportKind } from './model.ts';
import { type MoveStatus, statusOf } from './status.ts';
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
}

export function openMoves({ openStores }: FeatureParts): MoveOperations {
  const context: MoveContext = {
    stores: openMoveStores(openStores),
    recent: new RecentCache<RecentMove>(),
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
  };
}
