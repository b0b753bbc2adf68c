/** All measurements, folded by scenario: a sentence each, a table, and further notes. */
import { isKept } from '../results.ts';
import type { Measurement } from '../scenario.ts';
import type { Results } from './results.ts';
import { escape, format, formatRatio } from '../../src/page/text.ts';

export function scenarioSections({ scenarios, about = {}, quick = false }: Results): string {
  if (scenarios.length === 0) return '<p class="note">Nothing was measured.</p>';
  return [...Map.groupBy(scenarios, scenarioOf)]
    .map(([name, members]) => folded(name, { members, sentence: about[name], quick }))
    .join('\n');
}

/** Results of older versions do not name the scenario. */
function scenarioOf({ scenario, name }: Measurement): string {
  return scenario ?? name.split('/')[0] ?? name;
}

/** An id of the page. */
export function anchorOf(measurement: Measurement): string {
  return `scenario-${scenarioOf(measurement).replace(/[^\w-]+/g, '-')}`;
}

interface Section {
  readonly members: readonly Measurement[];
  readonly sentence: string | undefined;
  readonly quick: boolean;
}

function folded(name: string, { members, sentence, quick }: Section): string {
  const missed = quick ? 0 : members.filter((each) => !isKept(each)).length;
  const state =
    missed === 0
      ? ''
      : ` <span class="broken"><span aria-hidden="true">✗</span> ${missed} not reached</span>`;
  const [first] = members;
  return `<details${first ? ` id="${anchorOf(first)}"` : ''}>
<summary><b>${escape(name)}</b>${state}${sentence === undefined ? '' : ` <span class="soft">${escape(sentenceOf(sentence))}</span>`}</summary>
${table(members, quick)}
${details(members)}
</details>`;
}

function sentenceOf(about: string): string {
  return `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
}

const headings = ['Measured', 'Figure', 'Reference', 'Ratio', 'Promise'] as const;

/**
 * A row each. On a phone the rows become cards, for which each cell repeats its heading; the roles present it as a table to a
 * screen reader then.
 */
function table(measurements: readonly Measurement[], isQuick: boolean): string {
  const head = headings.map((each) => `<th role="columnheader" scope="col">${each}</th>`).join('');
  return `<table role="table">
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">
${measurements.map((each) => `<tr role="row">${cells(each, isQuick)}</tr>`).join('\n')}
</tbody>
</table>`;
}

function cells(measurement: Measurement, isQuick: boolean): string {
  const { name, value, unit, reference, referenceValue, ratio, spread, error } = measurement;
  const range = Array.isArray(spread) ? spread.map((each: number) => formatRatio(each)).join(' to ') : '–';
  const known = error === undefined ? '' : ` <span class="soft number">±${(error * 100).toFixed(1)} %</span>`;
  const rest = [
    quantity(value, unit),
    `${quantity(referenceValue, unit)} <span class="soft block">${escape(reference)}</span>`,
    `<b class="number">${formatRatio(ratio)}</b>${known} <span class="soft number block">${range}</span>`,
    promise(measurement, isQuick),
  ].map((cell, n) => `<td role="cell" data-label="${headings[n + 1] ?? ''}"><div>${cell}</div></td>`);
  return `<th role="rowheader" scope="row">${escape(name).replaceAll('/', '/<wbr>')}</th>${rest.join('')}`;
}

function quantity(value: number, unit: string): string {
  return `<span class="number">${format(value)}</span> <span class="soft">${escape(unit)}</span>`;
}

function promise(measurement: Measurement, isQuick: boolean): string {
  const bounds = boundsOf(measurement);
  if (bounds === '') return '<span class="soft">none</span>';
  if (isQuick) return `${bounds} <span class="soft block">not judged: a quick run</span>`;
  return isKept(measurement)
    ? `${bounds} <span class="kept block"><span aria-hidden="true">✓</span> reached</span>`
    : `${bounds} <span class="broken block"><span aria-hidden="true">✗</span> not reached</span>`;
}

/** As `at least 0.9`. */
export function boundsOf({ atLeast, atMost }: Measurement): string {
  const bound = (word: string, value: number | undefined) =>
    value === undefined ? [] : [`${word} <span class="number">${format(value)}</span>`];
  return [...bound('at least', atLeast), ...bound('at most', atMost)].join(', ');
}

/** The details of measurements besides their ratio, as `latencyMs.p50 3`. */
function details(scenarios: readonly Measurement[]): string {
  const items = scenarios.flatMap(({ name, details: given }) => {
    const facts = flatten(given);
    return facts.length === 0 ? [] : [`<dt>${escape(name)}</dt><dd>${facts.join(' ')}</dd>`];
  });
  return items.length === 0 ? '' : `<dl class="facts">${items.join('\n')}</dl>`;
}

function flatten(value: unknown, path = ''): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object') {
    const join = (key: string): string => (path === '' ? key : `${path}.${key}`);
    return Object.entries(value).flatMap(([key, inner]) => flatten(inner, join(key)));
  }
  const text = typeof value === 'number' ? format(value) : escape(value);
  return [`<span><span class="soft">${escape(path)}</span> ${text}</span>`];
}
