/** The plans of chunks, by what is known of their upload. */
import { describe, expect, it } from 'vitest';
import { Outlook } from '../../src/imports/chunks/plan.ts';
import { mapColumns } from '../../src/domain/columns.ts';
import { jobCounters } from '../../src/domain/jobs/job-fields.ts';
import type { AddedCounts } from '../../src/imports/ports.ts';

const job = { appNo: 1, id: '01a1fe34-0706-7400-902a-7cfa1df99d44', dryRun: false };
const create = { kind: 'create', job: { appNo: 1, id: job.id } };

function outlook({ hasImported = false, allowPlainText = false, ...rest }: Partial<Known> = {}): Outlook {
  return new Outlook({ ...job, ...rest }, { hasImported, allowPlainText });
}

interface Known {
  readonly hasImported: boolean;
  readonly allowPlainText: boolean;
  readonly dryRun: boolean;
  readonly compare: boolean;
  readonly series: string;
  readonly whole: boolean;
}

const committed = (counts: Partial<AddedCounts>, areMarksUseless = false) => ({
  added: { ...mapColumns(jobCounters, () => 0), byKind: {}, byFactor: {}, byState: {}, ...counts },
  areMarksUseless,
});

describe('the first chunk', () => {
  it.each([
    [{}, create],
    [{ hasImported: true }, { kind: 'compare', byMarks: true }],
    [
      { hasImported: true, allowPlainText: true },
      { kind: 'compare', byMarks: false },
    ],
    // Those who changed, and all users again.
    [{ hasImported: true, series: 'follow-1' }, { kind: 'place' }],
    [
      { hasImported: true, series: 'follow-1', whole: true },
      { kind: 'compare', byMarks: true },
    ],
    [{ series: 'follow-1' }, create],
    // A dry run stores no rows.
    [{ dryRun: true }, { kind: 'place' }],
    [
      { dryRun: true, hasImported: true },
      { kind: 'compare', byMarks: false },
    ],
    [
      { dryRun: true, compare: true },
      { kind: 'compare', byMarks: true },
    ],
    [
      { dryRun: true, compare: true, allowPlainText: true },
      { kind: 'compare', byMarks: false },
    ],
  ])('of %j', (known, plan) => {
    expect(outlook(known).plan()).toEqual(plan);
  });
});

describe('later chunks', () => {
  it.each([
    [{ created: 9 }, 'create'],
    [{ created: 9, rejected: 5 }, 'create'],
    [{ created: 9, updated: 1 }, 'place'],
    [{ unchanged: 91, updated: 10 }, 'compare'],
    [{ unchanged: 90, updated: 10 }, 'place'],
    [{ rejected: 5 }, 'place'],
  ])('follow what was committed: %j', (counts, kind) => {
    const known = outlook({ hasImported: kind === 'create' });
    known.learnCommitted(committed(counts));
    expect(known.plan().kind).toBe(kind);
  });

  it('use no marks where those were of no use, or lines hide keys', () => {
    const [useless, hidden] = [outlook({ hasImported: true }), outlook({ hasImported: true })];
    useless.learnCommitted(committed({ unchanged: 100 }, true));
    hidden.learnParsed({ hasHiddenKeys: false });
    expect(hidden.plan()).toEqual({ kind: 'compare', byMarks: true });
    hidden.learnParsed({ hasHiddenKeys: true });
    for (const each of [useless, hidden]) expect(each.plan()).toEqual({ kind: 'compare', byMarks: false });
  });
});

describe('a chunk that is about to be written', () => {
  const none = { hasClaims: false, seenInOneRow: false };
  const some = { hasClaims: true, seenInOneRow: false };
  const sketched = {
    count: 0,
    line: '{}',
    externalId: '{}',
    lineMark: '{}',
    hasOthers: false,
    linesOf: new Uint32Array(),
    starts: new Uint32Array(),
  };

  it('is created or compared while that is still expected, and created without claims only', () => {
    const [fresh, known] = [outlook(), outlook({ hasImported: true })];
    expect(fresh.planOfWriting({ form: 'finished' }, none).kind).toBe('create');
    expect(fresh.planOfWriting({ form: 'finished' }, some).kind).toBe('place');
    expect(known.planOfWriting({ form: 'compared' }, some).kind).toBe('compare');
    for (const each of [fresh, known]) {
      each.learnCommitted(committed({ updated: 1 }));
      expect(each.planOfWriting({ form: 'finished' }, none).kind).toBe('place');
      expect(each.planOfWriting({ form: 'compared' }, none).kind).toBe('place');
      expect(each.planOfWriting({ form: 'columns' }, none).kind).toBe('place');
    }
  });

  it('is recognised by marks where it was sketched, and its keys have no claims', () => {
    const known = outlook({ hasImported: true });
    const isByMarks = (parsed: Parameters<Outlook['planOfWriting']>[0], claims: typeof none) =>
      known.planOfWriting(parsed, claims).byMarks;
    expect(isByMarks({ form: 'compared', sketched }, none)).toBe(true);
    expect(isByMarks({ form: 'compared', sketched }, some)).toBe(false);
    expect(isByMarks({ form: 'compared' }, none)).toBe(false);
  });
});
