/** The beginning of the page: the five most important figures, and whether the project's bars were reached. */
import { isKept, type Failure } from '../results.ts';
import type { Measurement } from '../scenario.ts';
import { anchorOf, boundsOf } from './scenarios.ts';
import type { Results } from './results.ts';
import { escape, format, formatRatio } from '../../src/page/text.ts';

interface Headline {
  /** Of the measurement. */
  readonly name: string;
  readonly says: string;
  /** Whether the ratio is the figure, and not the value. */
  readonly isRatio?: true;
}

const headlines: readonly Headline[] = [
  { name: 'bulk', says: 'users imported a second from one file' },
  {
    name: 'bulk-growth',
    says: 'times as long for the last users as for the first, while the database fills',
    isRatio: true,
  },
  { name: 'import-http', says: 'single users imported a second over HTTP' },
  { name: 'sign-in', says: 'sign-ins a second, at most, with a mix of hashes' },
  { name: 'storm', says: 'of what can be done is done when too many people sign in', isRatio: true },
];

/** Those that this run has measured. */
export function headlineFigures({ scenarios }: Results): string {
  const found = headlines.flatMap((headline) => {
    const measurement = scenarios.find(({ name }) => name === headline.name);
    return measurement ? [figure(headline, measurement)] : [];
  });
  return found.length === 0 ? '' : `<ul class="headlines">${found.join('\n')}</ul>`;
}

function figure(
  { says, isRatio }: Headline,
  { value, unit, reference, referenceValue, ratio }: Measurement,
): string {
  const [shown, against] = isRatio
    ? [formatRatio(ratio), `${format(value)} against ${format(referenceValue)} ${unit}`]
    : [format(value), `${formatRatio(ratio)} times ${reference}`];
  return `<li><b class="number">${shown}</b> ${says} <span class="soft">${escape(against)}</span></li>`;
}

/** How many bars were reached, and which were missed: those first. A quick run is not judged. */
export function promises({ scenarios, failed = [], quick }: Results): string {
  const failures = failed.map(failure).join('\n');
  if (quick)
    return `<p>A quick run, to see that everything works: too short and too cold for its ratios to count.</p>\n${failures}`;
  const judged = scenarios.filter(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined);
  if (judged.length === 0) return `<p>Nothing was promised of what was measured.</p>\n${failures}`;
  const missed = judged.filter((each) => !isKept(each));
  const [style, mark] = missed.length === 0 ? ['kept', '✓'] : ['broken', '✗'];
  const reached = `${judged.length - missed.length} of ${judged.length}`;
  return `<p><span class="${style}"><span aria-hidden="true">${mark}</span> ${reached}</span> promises of the project were reached${missed.length === 0 ? '.' : '; not reached:'}</p>
${missed.length === 0 ? '' : `<ul class="missed">${missed.map(miss).join('\n')}</ul>`}
${failures}`;
}

function miss(measurement: Measurement): string {
  const { name, value, unit, reference, referenceValue, ratio } = measurement;
  const against = `${format(value)} ${unit}, against ${format(referenceValue)} of ${reference}`;
  return `<li><a href="#${anchorOf(measurement)}">${escape(name)}</a>: ratio <b class="number">${formatRatio(ratio)}</b>, promised ${boundsOf(measurement)} <span class="soft">${escape(against)}</span></li>`;
}

function failure({ name, error }: Failure): string {
  return `<p><span class="broken"><span aria-hidden="true">✗</span> ${escape(name)} failed:</span> ${escape(error)}</p>`;
}
