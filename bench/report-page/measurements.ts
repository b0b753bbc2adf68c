/** The section of all measurements: what was promised, the scenarios' table, the many small ones folded away. */
import type { Measurement } from '../scenario.ts';
import { detailList } from './facts.ts';
import { isKept, measurementTable } from './measurement-table.ts';
import type { Results } from './results.ts';
import { escape } from './text.ts';

export function measurements(results: Results): string {
  const { scenarios, quick = false, failed = [] } = results;
  const { plain, groups } = grouped(scenarios);
  const notes = detailList(plain);
  return `<section>
<h2>Measurements</h2>
<p>A ratio is the figure divided by its reference; beside it stands its standard error, below it the smallest and the largest of all rounds. Figures belong to this machine, or to the one that their details name: compare ratios between machines, never figures.</p>
<p>${quick ? 'A quick run, to see that everything works: too short and too cold for its ratios to count.' : verdict(scenarios)}</p>
${failed.map(({ name, error }) => `<p><span class="broken"><span aria-hidden="true">✗</span> ${escape(name)} failed:</span> ${escape(error)}</p>`).join('\n')}
${scenarios.length === 0 ? '<p class="note">Nothing was measured.</p>' : ''}
${plain.length === 0 ? '' : measurementTable(plain, quick)}
${groups.map(([name, members]) => folded(name, members, quick)).join('\n')}
${notes === '' ? '' : `<details><summary>What else was noted</summary>${notes}</details>`}
</section>`;
}

/** So many measurements of one name before a slash would bury the others. */
const crowd = 6;

interface Grouped {
  readonly plain: readonly Measurement[];
  readonly groups: readonly (readonly [name: string, members: readonly Measurement[]])[];
}

function grouped(scenarios: readonly Measurement[]): Grouped {
  const prefixOf = ({ name }: Measurement) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '');
  const groups = [...Map.groupBy(scenarios, prefixOf)].filter(
    ([prefix, members]) => prefix !== '' && members.length >= crowd,
  );
  return { groups, plain: scenarios.filter((each) => !groups.some(([, members]) => members.includes(each))) };
}

function folded(name: string, members: readonly Measurement[], isQuick: boolean): string {
  const promised = !isQuick && members.some((each) => isKept(each) !== undefined);
  return `<details><summary>${escape(name)}: ${members.length} measurements</summary>
${promised ? `<p>${verdict(members)}</p>` : ''}
${measurementTable(members, isQuick)}
</details>`;
}

function verdict(all: readonly Measurement[]): string {
  const verdicts = all.map(isKept).filter((kept) => kept !== undefined);
  if (verdicts.length === 0) return 'Nothing was promised of these.';
  const reached = verdicts.filter(Boolean).length;
  const [style, mark] = reached === verdicts.length ? ['kept', '✓'] : ['broken', '✗'];
  return `<span class="${style}"><span aria-hidden="true">${mark}</span> ${reached} of ${verdicts.length}</span> promises of the project were reached.`;
}
