import { count, duration, moment } from '../output/format.ts';
import { type ComparisonSummary, describeChanges, kinds } from './summary.ts';

/** The counts of a comparison as one page of HTML, without a reference to anything else. @param source its name */
export function pageOf(summary: ComparisonSummary, source: string): string {
  const { startedAt, finishedAt, records, equal, users, fields, unexplained, digest, job } = summary;
  const took = duration((finishedAt - startedAt) / 1000);
  const found = kinds.map(([kind, title]) => row(title, count(users[kind])));
  const changes = Object.entries(fields).map(([group, by]) => row(group, describeChanges(by)));
  const verdict = unexplained === 0 ? 'Nothing is unexplained' : `Unexplained: ${count(unexplained)}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Comparison with ${escaped(source)}</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
  th, td { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid #ccc; }
  .verdict { font-weight: bold; }
</style>
<h1>Comparison with ${escaped(source)}</h1>
<p class="verdict">${verdict}</p>
<p>${moment(startedAt)} UTC, in ${took}: ${count(records)} records of the source, ${count(equal)} equal.</p>
${table('Users', found)}
${changes.length === 0 ? '' : table('Fields that differ', changes)}
<p><small>Job ${escaped(job)}; SHA-256 of the differences: ${escaped(digest)}</small></p>
</html>
`;
}

function table(caption: string, rows: readonly string[]): string {
  return `<table>\n<caption>${caption}</caption>\n${rows.join('\n')}\n</table>`;
}

function row(title: string, value: string): string {
  return `<tr><th scope="row">${escaped(title)}</th><td>${escaped(value)}</td></tr>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
