/** Files and runs of the core. */

import type { Kind as DifferenceKind } from '../../../../imports/difference.ts';
import type { Run as KeptRun, RunKind, StagedFile } from '../../model.ts';

export type { RunKind, StagedFile };

/** What a run is begun with. */
export interface RunInput {
  readonly kind: RunKind;
  readonly files?: readonly string[];
  readonly canaries?: string;
  readonly related?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly map?: readonly string[];
  readonly from?: string;
  readonly showSamples?: boolean;
  readonly partial?: boolean;
  readonly [option: string]: unknown;
}

export interface Run extends Omit<KeptRun, 'input'> {
  readonly input: RunInput;
}

export interface ErrorResult {
  readonly type: 'error';
  readonly code: string;
  readonly message: string;
}

export interface ColumnAccount {
  readonly used: number;
  readonly absent: number;
  readonly unparsable: number;
  readonly examples: readonly string[];
  readonly field?: string;
  /** Left out: the format does not know the column. */
  readonly purpose?: string;
}

export interface Inspection {
  readonly type: 'inspect';
  readonly format: string;
  readonly bytes: number;
  readonly records: number;
  readonly valid: number;
  readonly linked: number;
  readonly verified: number;
  readonly unverified: number;
  readonly duplicates: number;
  readonly oddDates: number;
  readonly canSignInBy: Readonly<Record<string, number>>;
  readonly byState: Readonly<Record<string, number>>;
  readonly rejected: number;
  readonly rejectedByMessage: readonly {
    readonly code: string;
    readonly message: string;
    readonly count: number;
  }[];
  readonly byKind: Readonly<Record<string, number>>;
  readonly byFactor: Readonly<Record<string, number>>;
  readonly social: Readonly<Record<string, number>>;
  readonly sharedEmails: number;
  readonly incomplete: readonly { readonly message?: string }[];
  readonly seconds: number;
  readonly usersPerSecond: number;
  readonly account?: {
    readonly passwords: { readonly verifiable: number; readonly unknown: number; readonly absent: number };
    readonly lostPasswords: Readonly<Record<string, { readonly count: number }>>;
    readonly tables: Readonly<Record<string, Readonly<Record<string, ColumnAccount>>>>;
  };
}

export interface Proposal {
  readonly type: 'inspect';
  readonly proposed?: {
    readonly format?: string;
    readonly map?: Readonly<Record<string, string>>;
    /** By field. */
    readonly reasons?: Readonly<Record<string, string>>;
    readonly unused?: readonly { readonly column: string; readonly looks?: string }[];
    readonly hashAs?: string | null;
    readonly needsHashAs?: boolean;
  };
}

export interface DoctorResult {
  readonly type: 'doctor';
  readonly kinds: readonly {
    readonly kind: string;
    readonly pairs: number;
    readonly right: number;
    readonly repaired: number;
    readonly wrong: number;
  }[];
  readonly pairs: readonly {
    readonly row: number;
    readonly email?: string;
    readonly code: string;
    readonly message?: string;
    readonly advice: readonly string[];
  }[];
}

export const isDoctor = (result: unknown): result is DoctorResult =>
  typeof result === 'object' && result !== null && 'type' in result && result.type === 'doctor';

export interface PlanResult {
  readonly type: 'plan';
  readonly users: number;
  readonly records: number;
  readonly rejected: number;
  readonly import: {
    readonly seconds: number;
    readonly usersPerSecond: number;
    readonly databaseBytes: number;
  };
  readonly signIns: {
    /** A second, in the busiest hour. */
    readonly arrivals: number;
    readonly capacity: number;
    readonly steps: readonly { readonly upgraded: number; readonly cores: number; readonly waitMs: number }[];
  };
}

export const isPlan = (result: unknown): result is PlanResult =>
  typeof result === 'object' && result !== null && 'type' in result && result.type === 'plan';

/** Of the users of each class, and of the fields that differ: see `carryover compare --json`. */
export interface ComparisonResult {
  readonly type: 'compare';
  readonly job: string;
  /** The label of the source; empty if it has none. */
  readonly source: string;
  /** ms since the epoch */
  readonly startedAt: number;
  readonly records: number;
  readonly equal: number;
  readonly users: Readonly<Record<DifferenceKind | 'changedHere', number>>;
  readonly unexplained: number;
  readonly digest: string;
}

export const isComparison = (result: unknown): result is ComparisonResult =>
  typeof result === 'object' && result !== null && 'type' in result && result.type === 'compare';

export const isError = (result: unknown): result is ErrorResult =>
  typeof result === 'object' && result !== null && 'type' in result && result.type === 'error';

export const isInspection = (result: unknown): result is Inspection =>
  typeof result === 'object' &&
  result !== null &&
  'type' in result &&
  result.type === 'inspect' &&
  'records' in result;

export const kindWords: Readonly<Record<RunKind, string>> = {
  inspect: 'Look into it',
  propose: 'Propose a mapping',
  doctor: 'Hash doctor',
  plan: 'Plan',
  'dry-run': 'Dry run',
  import: 'Import',
  compare: 'Compare',
  'read-database': 'Read the database',
};
