/** Which step leads where, and what it does. */
import type { Move, Standing } from './model.ts';

/** The usual shares, one after the other. */
const ladder = [5, 25, 50, 100] as const;

export type Verb = 'next' | 'back' | 'close';

export interface Wanted {
  readonly verb: Verb;
  /** Percent; for `next` and `back` of a share. */
  readonly share?: number | undefined;
  /** `close` while the old system leads. */
  readonly abandon?: boolean | undefined;
}

/** Why there is no such step. */
export interface NoStep {
  readonly message: string;
  readonly cure: string;
}

const following: Standing = { stage: 'following', share: 0 };

/** @returns where the step leads, or why it does not exist */
export function destination(move: Standing, wanted: Wanted): Standing | NoStep {
  if (move.stage === 'closed')
    return { message: 'The move is closed', cure: "Another one can be started: 'carryover move start'" };
  const { verb } = wanted;
  if (verb === 'close') return closing(move, wanted);
  return verb === 'next' ? forwards(move, wanted) : backwards(move, wanted);
}

export function isNoStep(to: Standing | NoStep): to is NoStep {
  return 'cure' in to;
}

function forwards({ stage, share }: Standing, { share: wanted }: Wanted): Standing | NoStep {
  if (stage === 'rehearsing')
    return wanted === undefined
      ? following
      : {
          message: 'No share of the users can sign in here before the old system is followed',
          cure: "Go on without --share: 'carryover move next'",
        };
  const to = wanted ?? ladder.find((each) => each > share);
  if (to === undefined)
    return {
      message: 'All users sign in here: there is no greater share',
      cure: "End the move: 'carryover move close'",
    };
  if (to <= share)
    return {
      message: `${to} % is no more than the ${share} % of the users who sign in here`,
      cure: `Give a greater --share, or go back: 'carryover move back --share ${to}'`,
    };
  return { stage: 'leading', share: to };
}

function backwards({ stage, share }: Standing, { share: wanted }: Wanted): Standing | NoStep {
  if (stage === 'rehearsing')
    return {
      message: 'Nothing comes before the rehearsal',
      cure: "End the move, and the old system stays: 'carryover move close --abandon'",
    };
  if (wanted === undefined) return stage === 'leading' ? following : { stage: 'rehearsing', share: 0 };
  if (wanted < share) return { stage: 'leading', share: wanted };
  return {
    message: `${wanted} % is no less than the ${share} % of the users who sign in here`,
    cure: `Give a smaller --share, or go on: 'carryover move next --share ${wanted}'`,
  };
}

function closing({ stage, share }: Standing, { abandon = false }: Wanted): Standing | NoStep {
  if (!abandon) return { stage: 'closed', share: 100 };
  if (stage !== 'leading') return { stage: 'closed', share: 0 };
  return {
    message: `${share} % of the users sign in here, so the move cannot be abandoned`,
    cure: "Go back first: 'carryover move back'",
  };
}

/** @returns what the step does, one sentence each */
export function stepsTo(to: Standing, move: Move): readonly string[] {
  if (to.stage === 'closed') return to.share === 100 ? closed : abandoned;
  if (to.stage === 'leading') return leading(to, move);
  if (to.stage === 'rehearsing')
    return ['The follower of the old system loses its lease; its position stays', oldForAll];
  return move.stage === 'rehearsing'
    ? ['A follower of the old system may claim the lease, and store its position', oldForAll]
    : [
        `${oldForAll} within a second, on every core`,
        'The process that writes back keeps its lease, to bring to the old system what happened here',
      ];
}

const oldForAll = 'GET /move answers "old" for every user';
const kept = 'The history of the move stays; outcomes of single users are removed';

const closed = ['GET /move answers "here" for every user', 'Follower and write-back lose their leases', kept];
const abandoned = [`${oldForAll}: the old system stays`, 'The follower loses its lease', kept];

function leading({ share }: Standing, { stage, share: before }: Move): readonly string[] {
  const answer = `GET /move answers "here" for ${share} % of the users within a second, on every core`;
  if (stage === 'leading')
    return [
      answer,
      share > before
        ? `The ${before} % who sign in here stay, others join them`
        : `Of the ${before} % who sign in here ${share} % stay, the others sign in at the old system again`,
    ];
  return [
    answer,
    'What changes here is noted from now on, and a process that writes it back to the old system may claim its lease',
    'From now on outcomes of sign-ins are counted, once a user: if more are refused than before, the share returns to 0 automatically',
  ];
}
