/** What the core says about a move. */

export type Stage = 'rehearsing' | 'following' | 'leading' | 'closed' | 'abandoned';

export interface Objection {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
}

export interface Process {
  readonly role: 'follow' | 'write-back';
  readonly holder: string;
  readonly leasedUntil: number;
  readonly isHeld: boolean;
  readonly lagMs: number | null;
  readonly lagRecords: number | null;
}

export interface MoveEvent {
  readonly at: number;
  readonly actor: string;
  readonly kind: string;
  readonly stage: Stage;
  readonly share: number;
  readonly figures: Readonly<Record<string, unknown>>;
}

export interface MoveStatus {
  readonly status: 'OK';
  readonly source: { readonly system: string; readonly address?: string; readonly label: string };
  readonly stage: Stage;
  readonly share: number;
  readonly revision: number;
  readonly startedAt: number;
  readonly stageAt: number;
  readonly now: number;
  readonly processes: readonly Process[];
  readonly reports: {
    readonly plan?: { readonly figures: { readonly users: number } };
    readonly comparison?: {
      readonly at: number;
      readonly figures: {
        readonly unexplained: number;
        readonly counts?: Readonly<Record<string, number>>;
        readonly digest?: string;
      };
    };
  };
  readonly refusals: {
    readonly before: { readonly users: number; readonly refused: number };
    readonly here?: { readonly users: number; readonly refused: number; readonly refusedBefore: number };
  };
  readonly waiting: { readonly users: number; readonly conflicts: number; readonly since: number | null };
  readonly objections: readonly Objection[];
  readonly history: readonly MoveEvent[];
}

export type MoveAnswer = MoveStatus | { readonly status: 'NO_MOVE_ERROR' };

/** The stage in one sentence. */
export function sentence({ stage, share, source }: MoveStatus): string {
  if (stage === 'rehearsing') return `Rehearsing: ${source.system} leads, and users sign in there alone.`;
  if (stage === 'following') return `Following: ${source.system} leads, and what changes there comes here.`;
  if (stage === 'leading')
    return share === 100
      ? `Leading: all users sign in here, and ${source.system} can still take over.`
      : `Leading: ${share} % of the users sign in here, the others in ${source.system}.`;
  if (stage === 'abandoned') return `Abandoned: ${source.system} stays.`;
  return 'Closed: this core leads.';
}

/** What comes next, as a command. */
export function nextCommand({ stage, share }: MoveStatus): string | undefined {
  if (stage === 'rehearsing' || stage === 'following') return 'carryover move next --dry-run';
  if (stage === 'leading')
    return share === 100 ? 'carryover move close --dry-run' : 'carryover move next --dry-run';
  return undefined;
}
