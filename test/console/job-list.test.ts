/** The counts that the console shows for an entry of the list of jobs. */
import { expect, it } from 'vitest';
import { type JobView, listedCounts } from '../../src/features/console/pages/jobs/job-model.ts';

const job: JobView = {
  id: '019aa000-0000-7000-8000-000000000000',
  state: 'done',
  bytes: 1,
  lines: 3,
  created: 1,
  updated: 1,
  unchanged: 0,
  skipped: 0,
  rejected: 1,
  rejectedByConversion: 0,
  conflicts: 0,
  undone: 0,
  byKind: {},
  byFactor: {},
  byState: {},
  canSignInBy: {},
  startedAt: 1,
  usersPerSecond: 1,
};
const sums = { since: 1, jobs: 5, created: 10, updated: 20, unchanged: 30, skipped: 0, rejected: 40 };

it('are its own for a job, also for one of a series that is listed alone', () => {
  const own = { lines: 3, created: 1, updated: 1, rejected: 1 };
  for (const each of [job, { ...job, series: { name: 'follow-1' } }])
    expect(listedCounts(each)).toMatchObject(own);
});

it('are the sums for a series, with the rejects of the last reading of all users', () => {
  const series = { name: 'follow-1', ...sums };
  const all = { lines: 100, created: 10, updated: 20 };
  expect(listedCounts({ ...job, series })).toEqual({ ...all, rejected: 40 });
  const lastWhole = { id: job.id, startedAt: 1, rejected: 8 };
  expect(listedCounts({ ...job, series: { ...series, lastWhole } })).toEqual({ ...all, rejected: 8 });
});
