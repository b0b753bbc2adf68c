/** A move of an app from an old system: docs/design/moves.md. Times in ms since the epoch, by the database's clock. */
import type { jobOutcomes } from '../../domain/jobs/job-fields.ts';

/** In their order; the place in the list, from 1, is the number in the tables. */
export const stages = ['rehearsing', 'following', 'leading', 'closed'] as const;
export type Stage = (typeof stages)[number];

/** The old system, without secrets. */
export interface MoveSource {
  /** The provider that reads it. */
  readonly system: string;
  /** Of its database, such as `postgres://db.example.com:5432/shop`; undefined if it is read from files. */
  readonly address?: string | undefined;
  /** The label of its imports. */
  readonly label: string;
}

/** A stage, and the share of the users who sign in here in it. */
export interface Standing {
  readonly stage: Stage;
  /** Percent; of a closed move 100, or 0 if it was abandoned. */
  readonly share: number;
}

export interface Move extends Standing {
  /** Counts the moves of the app, from 1. */
  readonly moveNo: number;
  readonly source: MoveSource;
  /** Counts the steps, so that a step that was planned for another stage is refused. */
  readonly revision: number;
  /** The key of the digest that decides who is in the share. */
  readonly shareKey: string;
  readonly startedAt: number;
  readonly stageAt: number;
}

/** Processes that work for a move; the place in the list, from 1, is the number in the tables. */
export const roles = ['follow', 'write-back'] as const;
export type Role = (typeof roles)[number];

export interface Lease {
  readonly role: Role;
  /** Counts the claims; the holder sends it with everything. */
  readonly fence: number;
  readonly holder: string;
  readonly leasedUntil: number;
  readonly isHeld: boolean;
  readonly position?: string | undefined;
  /** Undefined until it was measured. */
  readonly lagMs?: number | undefined;
  readonly lagRecords?: number | undefined;
  /** The last one that a holder sent users through. */
  readonly jobId?: string | undefined;
}

/** Reports of commands, which the checks of a step read. */
export const reportKinds = ['plan', 'canaries', 'comparison', 'way-back'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Numbers by name, and the reasons behind one of them. */
export type Figures = Readonly<Record<string, unknown>>;

export interface MoveEvent extends Standing {
  readonly at: number;
  /** The name of a key; `core` if the share stopped automatically. */
  readonly actor: string;
  readonly kind: 'start' | 'step' | 'stop' | ReportKind;
  readonly figures: Figures;
}

/** Users by the outcome of their first sign-ins. */
export interface Tally {
  readonly users: number;
  readonly refused: number;
}

/** The current test of refusals: see refusals.ts. */
export interface Round extends Tally {
  readonly round: number;
  /** The part of users who are refused without a fault, 0 to 1. */
  readonly refusedBefore: number;
}

/** Users whose changes here are not in the old system yet. */
export interface Waiting {
  readonly users: number;
  /** Users who changed on both sides. */
  readonly conflicts: number;
  /** Of the oldest change that waits; null without one. */
  readonly since: number | null;
}

/** Everything that a step depends on. */
export interface MoveFacts {
  readonly move: Move;
  /** Of each kind the last one. */
  readonly reports: Readonly<Partial<Record<ReportKind, MoveEvent>>>;
  readonly leases: Readonly<Partial<Record<Role, Lease>>>;
  /** At the old system. */
  readonly before: Tally;
  readonly round?: Round | undefined;
  readonly waiting: Waiting;
  readonly now: number;
}

/** A reason against a step. */
export interface Objection {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
}

/** What stopped a share, as the history and the audit log have it. */
export interface Seen {
  readonly users: number;
  readonly refused: number;
  readonly refusedBefore: number;
  /** By how much the outcomes are likelier with a fault. */
  readonly ratio: number;
  readonly share: number;
}

export interface ClosedMove {
  readonly moveNo: number;
  readonly system: string;
  readonly address: string | null;
  readonly label: string;
  /** 0: it was abandoned. */
  readonly share: number;
  /** ms since the epoch, as is the close */
  readonly startedAt: number;
  readonly closedAt: number;
}

export interface MovedImport extends Readonly<Record<keyof typeof jobOutcomes, number>> {
  readonly id: string;
  readonly name: string;
  /** The table's number. */
  readonly state: number;
  /** ms since the epoch, as is the end */
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** SHA-256 of its receipt, if it has one. */
  readonly receipt: string | null;
}

export interface KeptReceipt {
  /** JSON. */
  readonly envelope: string;
  /** NDJSON, packed by gzip. */
  readonly entries: Uint8Array;
}
