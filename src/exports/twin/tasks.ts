/** Requests to the threads of a twin, and their answers. Types only, plain data only. */

import type { HashLimits } from '../../domain/model.ts';
import type { HashKindName } from '../../hashes/registry.ts';
import type { HashSecrets } from '../../hashes/kind.ts';
import type { TwinKey } from './keyed.ts';
import type { OriginalTable } from './originals.ts';

/** What a run has in common. */
export interface TwinRules {
  readonly key: TwinKey;
  /** ms since the epoch */
  readonly now: number;
  readonly limits: HashLimits;
  /** Of the original's hashes. */
  readonly secrets: HashSecrets;
  /** Of the twin's hashes. */
  readonly madeUp: HashSecrets;
  /** Whether the lines are converted from an export: its stated rejects are in this program's words. */
  readonly isConverted: boolean;
}

/** Hashes of one kind, cost and spelling. */
export interface HashClass {
  readonly kind: HashKindName;
  /** The fields of the first one. */
  readonly hash: string;
  readonly passwordTransforms: string | undefined;
  /** Estimated ms of one, on one core. */
  readonly work: number;
  /** Bytes that one allocates at its peak. */
  readonly bytes: number;
  readonly users: number;
}

/** Lines → what is in them. */
export interface SurveyTask {
  readonly type: 'survey';
  /** Whole lines, each with its newline. */
  readonly lines: Uint8Array;
}

export interface Surveyed {
  /** Of the values of six characters or more; a value may be there more than once. */
  readonly originals: Float64Array;
  /** By the class's key. */
  readonly classes: Readonly<Record<string, HashClass>>;
  readonly lines: number;
  /** Login methods with a password. */
  readonly passwords: number;
}

/** Hashes like a model, of the passwords `from` to `from + count - 1`. */
export interface MakeTask {
  readonly type: 'make';
  readonly rules: TwinRules;
  readonly originals: OriginalTable;
  readonly hashClass: HashClass;
  readonly from: number;
  readonly count: number;
}

export interface Made {
  /** Empty if no hash like the model can be made. */
  readonly hashes: readonly string[];
}

/** The made hashes of a class: `count` times `width` characters in the shared bytes, from `at` on. */
export interface MadeClass {
  readonly at: number;
  readonly count: number;
  readonly width: number;
}

/** What is known once the original was read, in memory that threads share. */
export interface TwinStock {
  readonly originals: OriginalTable;
  readonly hashes: Uint8Array;
  /** By the class's key. */
  readonly classes: Readonly<Record<string, MadeClass>>;
  /** How many passwords there are. */
  readonly passwords: number;
  /** The share of the users with a password who are listed with it, 0 to 1. */
  readonly listedShare: number;
}

/** Lines → lines of the twin. */
export interface ReplaceTask {
  readonly type: 'replace';
  readonly lines: Uint8Array;
  readonly rules: TwinRules;
  readonly stock: TwinStock;
}

/** A user whose password is listed. */
export interface Listed {
  readonly email: string;
  readonly password: string;
  /** The key of the hash's class; empty for a plain-text password. */
  readonly hashClass: string;
}

export interface TwinCounts {
  records: number;
  /** Lines that an import rejects, and stated rejects. */
  rejected: number;
  /** Of those: lines that became a stated reject, because their twin would not have been rejected for the same reason. */
  stated: number;
  /** Hashes whose password is known. */
  known: number;
  /** Hashes whose password is not known, by kind. */
  readonly unknown: Record<string, number>;
  /** Fields that no rule names. */
  leftOut: number;
}

export interface Replaced {
  readonly text: Uint8Array;
  readonly listed: readonly Listed[];
  readonly counts: TwinCounts;
}

/** Lines of the twin → the fields in which an original value was found. */
export interface ScanTask {
  readonly type: 'scan';
  readonly lines: Uint8Array;
  readonly originals: OriginalTable;
}

export interface Scanned {
  /** Values that were compared. */
  readonly values: number;
  readonly found: readonly string[];
}

export type TwinTask = SurveyTask | MakeTask | ReplaceTask | ScanTask;

export type TwinResult<Task extends TwinTask> = Task extends SurveyTask
  ? Surveyed
  : Task extends MakeTask
    ? Made
    : Task extends ReplaceTask
      ? Replaced
      : Scanned;
