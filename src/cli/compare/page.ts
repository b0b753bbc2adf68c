import { differenceKinds } from '../../imports/difference.ts';
import { documentOf, tableOf } from '../../page/document.ts';
import { escape } from '../../page/text.ts';
import { count, duration, moment } from '../output/format.ts';
import { type ComparisonSummary, describeChanges } from './summary.ts';

/** The counts of a comparison as one page of HTML. @param source its name */
export function pageOf(summary: ComparisonSummary, source: string): string {
  const { startedAt, finishedAt, records, equal, users, fields, unexplained, digest, job } = summary;
  const found = differenceKinds.map(([kind, title]) => [title, count(users[kind])]);
  const changes = Object.entries(fields).map(([group, by]) => [group, describeChanges(by)]);
  return documentOf({
    title: `Comparison with ${source}`,
    lead: unexplained === 0 ? 'Nothing is unexplained' : `Unexplained: ${count(unexplained)}`,
    leadClass: unexplained === 0 ? 'kept' : 'broken',
    facts: [
      `${moment(startedAt)} UTC, in ${duration((finishedAt - startedAt) / 1000)}`,
      `${count(records)} records of the source`,
      `${count(equal)} equal`,
    ],
    main: `<section>
<h2>Users</h2>
${tableOf([['', 'users'], ...found])}
</section>
${changes.length === 0 ? '' : `<section>\n<h2>Fields that differ</h2>\n${tableOf([['', 'changed'], ...changes])}\n</section>`}
<p class="soft">Job ${escape(job)}; SHA-256 of the differences: ${escape(digest)}</p>`,
  });
}
