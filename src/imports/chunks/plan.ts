/**
 * How a chunk is imported. A plan is a guess from what is known of the job and of earlier chunks, and never decides the outcome:
 * where it was wrong, the chunk is placed, which is right for all records.
 */

import { type Counts, isRolledBack, type Job, type JobRef } from '../model.ts';
import type { ParsedChunk } from '../parse/types.ts';

/** The form in which a thread parses the lines. */
export type ChunkPlan =
  /** All users are new: finished rows of this job, for COPY. */
  | { readonly kind: 'create'; readonly job: JobRef }
  /** Nearly all users are unchanged: the columns that are compared, or with `byMarks` only the marks of lines. */
  | { readonly kind: 'compare'; readonly byMarks: boolean }
  /** Any record may occur: all columns. */
  | { readonly kind: 'place' };

/** The steps of the chunk's transaction. */
export interface WritingPlan {
  /** Tried first; any kind but `place` may fail, and is followed by `place`. */
  readonly kind: ChunkPlan['kind'];
  /** Sketched lines are looked up by their marks. */
  readonly byMarks: boolean;
  /** The job may have claims on these keys other than those of kind 6: without any they are not looked up. */
  readonly hasClaims: boolean;
  /** Users found unchanged by their marks are remembered in one row: see SeenUsers. */
  readonly seenInOneRow: boolean;
}

/** For records without a prediction: single ones, or those at the end of an upload. */
export const placing: WritingPlan = { kind: 'place', byMarks: false, hasClaims: false, seenInOneRow: false };

type Planned = Pick<Job, 'appNo' | 'id' | 'dryRun' | 'compare' | 'series' | 'whole'>;

/** Knows how the chunks of an upload were so far, and plans the next ones. */
export class Outlook {
  readonly #job: Planned;
  #expected: 'new' | 'unchanged' | 'mixed';
  #usesMarks: boolean;

  /**
   * @param hasImported whether an earlier import of the app found or created a user
   * @param allowPlainText lines with plain-text passwords may be unchanged and are hashed all the same: no marks
   */
  constructor(
    job: Planned,
    { hasImported, allowPlainText }: { readonly hasImported: boolean; readonly allowPlainText: boolean },
  ) {
    this.#job = job;
    this.#expected = hasImported ? expectedOf(job) : 'new';
    this.#usesMarks = !allowPlainText && !isRolledBack(job);
  }

  /** Lines are looked up by their marks, where most users are expected to be unchanged. */
  get usesMarks(): boolean {
    return this.#usesMarks;
  }

  /** The plan for a chunk that is about to be parsed. */
  plan(): ChunkPlan {
    const { appNo, id } = this.#job;
    if (this.#isUnchanged()) return { kind: 'compare', byMarks: this.#usesMarks };
    return this.#createsFinished() ? { kind: 'create', job: { appNo, id } } : { kind: 'place' };
  }

  /**
   * The plan for a chunk that is about to be written. It may have been parsed for an expectation that no longer holds.
   * @param known of the chunks before it
   */
  planOfWriting(
    { form, sketched }: Pick<ParsedChunk, 'form' | 'sketched'>,
    known: Pick<WritingPlan, 'hasClaims' | 'seenInOneRow'>,
  ): WritingPlan {
    const isExpected =
      (form === 'finished' && this.#createsFinished() && !known.hasClaims) ||
      (form === 'compared' && this.#isUnchanged());
    const kind = form === 'finished' ? 'create' : 'compare';
    return {
      ...known,
      kind: isExpected ? kind : 'place',
      byMarks: sketched !== undefined && !known.hasClaims,
    };
  }

  /** A comparison places nothing: what is not equal is decided individually. */
  #isUnchanged(): boolean {
    return this.#expected === 'unchanged' || this.#job.compare === true;
  }

  /** A dry run stores no rows that a later chunk of it could meet. */
  #createsFinished(): boolean {
    return this.#expected === 'new' && !this.#job.dryRun;
  }

  /** Learns from a parsed chunk: marks are not used where lines hide keys. */
  learnParsed({ hasHiddenKeys }: Pick<ParsedChunk, 'hasHiddenKeys'>): void {
    if (hasHiddenKeys) this.#usesMarks = false;
  }

  /** Learns from a committed chunk. */
  learnCommitted({
    added,
    areMarksUseless,
  }: {
    readonly added: Counts;
    readonly areMarksUseless: boolean;
  }): void {
    this.#expected = expectedAfter(added);
    if (areMarksUseless) this.#usesMarks = false;
  }
}

/** A job of a series without all users has those who changed: a follower sends them. */
function expectedOf({ series, whole = false }: Planned): 'unchanged' | 'mixed' {
  return series === undefined || whole ? 'unchanged' : 'mixed';
}

function expectedAfter({ created, unchanged, updated, skipped }: Counts): 'new' | 'unchanged' | 'mixed' {
  if (created > 0 && unchanged + updated + skipped === 0) return 'new';
  return unchanged > 9 * (created + updated + skipped) ? 'unchanged' : 'mixed';
}
