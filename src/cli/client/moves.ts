/** The routes of a move, and their answers. */
import type { CoreClient } from './core-client.ts';

export interface StandingView {
  readonly stage: 'rehearsing' | 'following' | 'leading' | 'closed';
  /** Percent. */
  readonly share: number;
}

export interface ObjectionView {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
}

export interface SourceView {
  readonly system: string;
  readonly address?: string | undefined;
  readonly label: string;
}

interface TallyView {
  readonly users: number;
  readonly refused: number;
}

interface EventView extends StandingView {
  readonly at: number;
  readonly actor: string;
  readonly kind: string;
  readonly figures: Readonly<Record<string, unknown>>;
}

export interface MoveView extends StandingView {
  readonly moveNo: number;
  readonly source: SourceView;
  readonly revision: number;
  readonly startedAt: number;
  readonly stageAt: number;
  readonly processes: readonly {
    readonly role: 'follow' | 'write-back';
    readonly holder: string;
    readonly isHeld: boolean;
    readonly lagMs?: number;
    readonly lagRecords?: number;
  }[];
  readonly reports: Readonly<Record<string, Pick<EventView, 'at' | 'figures'>>>;
  readonly refusals: {
    readonly before: TallyView;
    readonly here?: TallyView & { readonly refusedBefore: number };
  };
  /** When what changes here began to be noted, ms since the epoch. */
  readonly notedSince?: number;
  readonly waiting: { readonly users: number; readonly conflicts: number; readonly since: number | null };
  readonly objections: readonly ObjectionView[];
  readonly history: readonly EventView[];
}

export interface StepView extends StandingView {
  readonly status: 'OK';
  readonly from: StandingView;
  readonly steps: readonly string[];
  readonly objections: readonly ObjectionView[];
}

export type StepAnswer =
  | StepView
  | { readonly status: 'NO_MOVE_ERROR' }
  | { readonly status: 'MOVE_CHANGED_ERROR' }
  | { readonly status: 'NO_SUCH_STEP_ERROR'; readonly message: string; readonly cure: string }
  | {
      readonly status: 'STEP_REFUSED_ERROR';
      readonly steps: readonly string[];
      readonly objections: readonly ObjectionView[];
    };

export type StartAnswer =
  | { readonly status: 'OK' }
  | { readonly status: 'MOVE_EXISTS_ERROR'; readonly source: SourceView }
  | { readonly status: 'UNKNOWN_SOURCE_ERROR'; readonly labels: readonly string[] };

export interface MoveStep {
  readonly verb: 'next' | 'back' | 'close';
  readonly share?: number | undefined;
  readonly refusedBefore?: number | undefined;
  readonly abandon?: boolean | undefined;
}

/** @returns undefined without a move */
export async function moveStatus(client: CoreClient, signal: AbortSignal): Promise<MoveView | undefined> {
  const path = '/move/status';
  const answer = await client.call<MoveView & { readonly status: string }>({ method: 'GET', path, signal });
  return answer.status === 'OK' ? answer : undefined;
}

/** @param how revision: of the status that the step was decided by */
export function moveStep(
  client: CoreClient,
  { verb, ...input }: MoveStep,
  how: { readonly dryRun: boolean; readonly revision?: number | undefined; readonly signal: AbortSignal },
): Promise<StepAnswer> {
  const { signal, ...rest } = how;
  return client.call({ method: 'POST', path: `/move/${verb}`, input: { ...input, ...rest }, signal });
}
