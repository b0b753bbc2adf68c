import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import { StreamReply } from '../../http/response/replies.ts';
import { body, plain, query, requireTenant } from '../../http/routing/handlers.ts';
import type { Route, RouteContext } from '../../http/routing/route.ts';
import type { Operations } from '../../operations/operations.ts';
import { bodyForms, queryForms } from '../../schema/forms.ts';
import type { Figures, MoveSource, ReportKind } from './model.ts';
import type { MoveOperations } from './operations.ts';
import { type MoveInputs, moveBodies, moveQueries } from './schema.ts';
import type { StepInput } from './take-step.ts';

const inBody = bodyForms(moveBodies);
const inQuery = queryForms(moveQueries);
const path = '/move';
const noMove = 'NO_MOVE_ERROR';
const common = { scope: 'app', tag: 'Moves', needs: ['move'] } as const;

/** The move of an app from its old system. */
export function moveRoutes(moves: MoveOperations, { exports }: Pick<Operations, 'exports'>): Route[] {
  return [appRoutes, stepRoutes, reportRoutes, leaseRoutes, receiptRoutes]
    .flatMap((routes) => routes(moves))
    .concat(changeRoutes(moves, exports));
}

function appRoutes(moves: MoveOperations): Route[] {
  return [
    {
      method: 'GET',
      path,
      scope: 'tenant',
      tag: 'Moves',
      needs: ['move', 'sign-in'],
      statuses: ['OK'],
      summary:
        'Says where a user signs in, and signs up: `old` or `here`; the same for known and unknown users',
      ...query(inQuery.whereToSignIn, (tenant, named) => moves.instruct(tenant, named)),
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/status`,
      needs: ['move', 'read'],
      statuses: ['OK', noMove],
      summary: 'The stage of the move, what is against its next step, and its history',
      ...plain((tenant) => moves.status(tenant)),
    },
  ];
}

const stepStatuses = [
  'OK',
  noMove,
  'NO_SUCH_STEP_ERROR',
  'STEP_REFUSED_ERROR',
  'MOVE_CHANGED_ERROR',
] as const;

function stepRoutes(moves: MoveOperations): Route[] {
  const step = async (tenant: Tenant, input: StepInput, { holder, act }: RouteContext) => {
    const answer = await moves.step(tenant, input, holder.name);
    if (answer.status === 'OK' && !answer.dryRun)
      act?.report({
        stage: answer.stage,
        share: answer.share,
        before: answer.from.stage,
        shareBefore: answer.from.share,
      });
    return answer;
  };
  return [
    {
      ...common,
      method: 'POST',
      path,
      statuses: ['OK', 'MOVE_EXISTS_ERROR', 'UNKNOWN_SOURCE_ERROR'],
      summary: 'Starts the move of an app from an old system, with the stage rehearsing',
      audit: { what: 'move.start', fields: ['system', 'address', 'source'] },
      ...body(inBody.startMove, (tenant, input, { holder }) =>
        moves.start(tenant, sourceOf(input), holder.name),
      ),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/next`,
      statuses: stepStatuses,
      summary: 'Takes the move to its next stage, or to a greater share, unless something is against it',
      audit: { what: 'move.next', when: 'reported' },
      ...body(inBody.stepForwards, (tenant, input, context) =>
        step(tenant, { ...input, verb: 'next' }, context),
      ),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/back`,
      statuses: stepStatuses,
      summary: 'Takes the move to the stage before, or to a smaller share',
      audit: { what: 'move.back', when: 'reported' },
      ...body(inBody.stepBack, (tenant, input, context) => step(tenant, { ...input, verb: 'back' }, context)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/close`,
      statuses: stepStatuses,
      summary: 'Ends the move when all users sign in here, or abandons it before',
      audit: { what: 'move.close', when: 'reported' },
      ...body(inBody.closeMove, (tenant, input, context) =>
        step(tenant, { ...input, verb: 'close' }, context),
      ),
    },
  ];
}

function reportRoutes(moves: MoveOperations): Route[] {
  const report = (kind: ReportKind, summary: string) =>
    ({
      ...common,
      method: 'POST',
      path: `${path}/${kind}`,
      statuses: ['OK', noMove],
      summary,
      audit: { what: 'move.report', when: 'reported' },
    }) as const;
  const stored =
    (kind: ReportKind) =>
    async (tenant: Tenant, figures: Figures, { holder, act }: RouteContext) => {
      requireCounts(figures);
      const answer = await moves.report(tenant, kind, { figures, actor: holder.name });
      if (answer.status === 'OK') act?.report({ kind });
      return answer;
    };
  return [
    {
      ...report('plan', 'Stores that the import was planned'),
      ...body(inBody.reportPlan, stored('plan')),
    },
    {
      ...report('canaries', 'Stores how many known passwords were verified'),
      ...body(inBody.reportCanaries, stored('canaries')),
    },
    {
      ...report('comparison', 'Stores the result of a comparison of both systems'),
      ...body(inBody.reportComparison, stored('comparison')),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/sign-ins`,
      scope: 'tenant',
      statuses: ['OK', noMove],
      summary: 'Counts passwords at the old system, which refusals here are compared with',
      unaudited: 'the app reports each sign-in',
      ...body(inBody.reportSignIns, (tenant, { signIns }) => {
        if (!signIns.every(({ email, userId }) => (email === undefined) !== (userId === undefined)))
          throw new Refusal(
            'INVALID_FIELD',
            "Field name 'signIns' is invalid in JSON input: each must have one of 'email' and 'userId'",
          );
        return moves.countReported(tenant, signIns);
      }),
    },
    {
      ...report('way-back', 'Stores how many users could not return to the old system, and why'),
      ...body(inBody.reportWayBack, stored('way-back')),
    },
  ];
}

function leaseRoutes(moves: MoveOperations): Route[] {
  return [
    {
      ...common,
      method: 'POST',
      path: `${path}/lease`,
      statuses: ['OK', noMove, 'LEASE_HELD_ERROR', 'STAGE_ERROR', 'OTHER_SOURCE_ERROR'],
      summary:
        'Gives the lease of a process of the move to one holder: the follower, or the process that writes back',
      audit: { what: 'move.lease', when: 'reported' },
      ...body(inBody.claimLease, async (tenant, { role, holder, ...source }, { act }) => {
        const answer = await moves.claim(tenant, { role, holder, source: sourceOf(source) });
        if (answer.status === 'OK') act?.report({ role, holder });
        return answer;
      }),
    },
    {
      ...common,
      method: 'PUT',
      path: `${path}/lease`,
      statuses: ['OK', 'LEASE_LOST_ERROR'],
      summary: 'Renews a lease, and stores the position and the lag of its holder',
      unaudited: 'its holder sends it every few seconds; the claim is in the log',
      ...body(inBody.renewLease, (tenant, renewal) => moves.renew(tenant, renewal)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/lease/release`,
      statuses: ['OK', 'LEASE_LOST_ERROR'],
      summary: 'Ends a lease, so that another process need not wait',
      unaudited: 'its claim is in the log',
      ...body(inBody.releaseLease, (tenant, lease) => moves.release(tenant, lease)),
    },
  ];
}

function changeRoutes(moves: MoveOperations, exports: Operations['exports']): Route[] {
  return [
    {
      ...common,
      // A key that may only take steps gets no hashes.
      needs: ['export'],
      headers: [['Cache-Control', 'no-store']],
      method: 'GET',
      path: `${path}/changes`,
      statuses: ['OK', noMove],
      summary: 'What changed here since the move leads, by user: each as it is now, password hash included',
      ...query(inQuery.readChanges, (tenant, input) => moves.changes(tenant, exports, input)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/changes/settled`,
      statuses: ['OK', 'LEASE_LOST_ERROR'],
      summary: 'Confirms changes that are in the old system, or says why they are not',
      unaudited: 'the process that writes back sends it with every batch; its claim is in the log',
      ...body(inBody.settleChanges, (tenant, settled) => moves.settle(tenant, settled)),
    },
  ];
}

function receiptRoutes(moves: MoveOperations): Route[] {
  return [
    {
      ...common,
      method: 'POST',
      path: `${path}/receipt`,
      statuses: ['OK', 'MOVE_NOT_CLOSED_ERROR'],
      summary: "Makes and signs the receipt of the app's last closed move; later requests get the same one",
      bodyMayBeMissing: true,
      audit: { what: 'move.receipt' },
      ...plain((tenant) => moves.receipt(tenant)),
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/receipt/entries`,
      statuses: ['OK'],
      summary:
        'What that receipt is about, an event of the move or an import in each line: the leaves of its tree',
      contentType: 'application/x-ndjson',
      refusals: [409],
      async handle({ tenant }) {
        const packed = await moves.receiptEntries(requireTenant(tenant));
        const chunks = () => Readable.from([packed]).pipe(createGunzip());
        return new StreamReply({ contentType: 'application/x-ndjson', chunks });
      },
    },
  ];
}

function sourceOf({ system, address, source = '' }: MoveInputs['startMove']): MoveSource {
  return { system, address, label: source };
}

const mostCounts = 50;
const countName = /^[\w.-]{1,64}$/;

/** @throws Refusal INVALID_FIELD */
function requireCounts(figures: Figures): void {
  for (const name of ['counts', 'why']) {
    const entries = Object.entries((figures[name] ?? {}) as Readonly<Record<string, unknown>>);
    if (
      entries.length > mostCounts ||
      !entries.every(([each, value]) => countName.test(each) && isCount(value))
    )
      throw new Refusal(
        'INVALID_FIELD',
        `Field name '${name}' is invalid in JSON input: must have at most ${mostCounts} names of letters, digits and _ . -, with whole numbers`,
      );
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
