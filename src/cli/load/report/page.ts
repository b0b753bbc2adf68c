/** The report as one file without scripts that needs nothing else: in the look of the benchmarks' page. */

import { documentOf, tableOf } from '../../../page/document.ts';
import { lookOf, schemes, widths } from '../../../page/look.ts';
import { escape, format } from '../../../page/text.ts';
import { moment } from '../../output/format.ts';
import type { Loaded } from '../run.ts';
import { type Curve, drawCurves } from './picture.ts';
import {
  clientLines,
  coreHead,
  coreRow,
  headOf,
  latencyRows,
  limitLine,
  machineHead,
  machineRow,
  refusalsIn,
  type Report,
} from './report.ts';

export function pageOf(report: Report): string {
  const { loaded, startedAt, limits, machines } = report;
  const { verdict, shown, metricsMissing } = loaded;
  const [title = '', ...facts] = headOf(report);
  return documentOf({
    title,
    lead: escape(verdict.sentence),
    leadClass: verdict.bears === false ? 'broken' : 'kept',
    facts: [moment(startedAt), ...facts],
    main: `${headlines(loaded)}
${cures(loaded)}
${searched(loaded)}
<section>
<h2>Over time</h2>
<p>Visits that ended in each second${loaded.steps.length > 1 ? ', at the rate that is shown below' : ''}, and those that waited at its end.</p>
${figure('course', 'seconds', courseCurves(report))}
</section>
<section>
<h2>Latencies</h2>
<p>From the planned moment of a visit to its last answer, with the waits between retries.</p>
${tableOf(latencyRows(shown))}
${refusals(loaded)}
</section>
<section>
<h2>${machines.length === 1 ? 'Cores' : 'Cores and machines'}</h2>
${metricsMissing === undefined ? tableOf([[...coreHead], ...shown.cores.map(coreRow)]) : `<p>${escape(metricsMissing)}</p>`}
${machinesIn(report)}
</section>
${limits.length === 0 ? '' : `<section>\n<h2>Limits</h2>\n<ul class="missed">${limits.map((each) => `<li class="${each.isCrossed ? 'broken' : 'kept'}">${escape(limitLine(each))}</li>`).join('\n')}</ul>\n</section>`}`,
  });
}

function machinesIn(report: Report): string {
  const { machines } = report;
  const each = machines.length === 1 ? '' : `${tableOf([[...machineHead], ...machines.map(machineRow)])}\n`;
  return `${each}<p class="soft">${clientLines(report).map(escape).join(' · ')}</p>`;
}

function headlines({ shown, knee, verdict }: Loaded): string {
  const all = [
    ...(knee === undefined ? [] : [[`${format(knee)}/s`, 'the highest rate that was borne'] as const]),
    [`${format(shown.perSecond)}/s`, 'succeeded'] as const,
    [`${format(shown.latencyMs.p99)} ms`, 'p99 from the planned moment'] as const,
    [verdict.short.resource === 'none' ? 'nothing' : verdict.short.resource, 'was short first'] as const,
  ];
  const items = all.map(
    ([value, what]) => `<li><b>${escape(value)}</b><span class="soft">${escape(what)}</span></li>`,
  );
  return `<ul class="headlines">${items.join('\n')}</ul>`;
}

function cures({ verdict }: Loaded): string {
  if (verdict.short.resource === 'none' && verdict.cures.length === 0) return '';
  const items = verdict.cures.map((cure) => `<li>${escape(cure)}</li>`).join('\n');
  return `<section>
<h2>What is short, and what would help</h2>
<p>${escape(verdict.short.because)}</p>
${items === '' ? '' : `<ul class="missed">${items}</ul>`}
</section>`;
}

function searched({ steps, knee }: Loaded): string {
  if (steps.length < 2) return '';
  const sorted = steps.toSorted((a, b) => a.rate - b.rate);
  const points = sorted.map(({ rate, latencyMs }): [number, number] => [rate, latencyMs.p99]);
  const marks = knee === undefined ? [] : [[knee, 'borne up to here'] as const];
  const rows = steps.map(({ rate, perSecond, latencyMs, broken }) => [
    `${format(rate)}/s`,
    `${format(perSecond)}/s`,
    format(latencyMs.p50),
    format(latencyMs.p99),
    broken.length === 0 ? 'borne' : broken.join(', '),
  ]);
  return `<section>
<h2>The search</h2>
<p>Each rate with an empty queue at its start, in the order in which they were tried.</p>
${figure('search', 'visits a second', [{ name: 'p99, ms', points, marks }])}
${tableOf([['rate', 'succeeded', 'p50 ms', 'p99 ms', ''], ...rows])}
</section>`;
}

function courseCurves({ loaded }: Report): Curve[] {
  const { course } = loaded.shown;
  const curve = (name: string, of: (each: (typeof course)[number]) => number): Curve => ({
    name,
    points: course.map((each) => [each.second, of(each)]),
    marks: [],
  });
  return [
    curve('succeeded, /s', ({ ok }) => ok),
    curve('refused or failed, /s', ({ notOk }) => notOk),
    curve('waiting', ({ waiting }) => waiting),
  ];
}

function refusals({ shown }: Loaded): string {
  const found = refusalsIn(shown);
  return found.length === 0
    ? '<p>No visit was refused or failed.</p>'
    : tableOf([['not OK', 'visits'], ...found.map(([name, count]) => [name, format(count)])]);
}

/** A picture for each width and colour scheme, of which the style shows one. */
function figure(id: string, xName: string, curves: readonly Curve[]): string {
  if (curves.every(({ points }) => points.length < 2)) return '';
  const drawn = widths.flatMap((width) =>
    schemes.map((scheme) => {
      const svg = drawCurves(curves, { id: `${id}-${width}-${scheme}`, xName, look: lookOf(width, scheme) });
      return svg.replace('<svg ', `<svg class="${width} ${scheme}" `);
    }),
  );
  return `<figure class="plot">\n${drawn.join('\n')}\n</figure>`;
}
