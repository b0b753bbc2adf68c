/** The table of measurements. */
import type { Measurement } from '../scenario.ts';
import { escape, format, formatRatio } from './text.ts';

const headings = ['Measured', 'Figure', 'Reference', 'Ratio', 'Promise'] as const;

/**
 * Every measurement, a row each. On a phone the rows become cards, for which each cell repeats its heading; the roles keep
 * it a table for a screen reader then.
 */
export function measurementTable(measurements: readonly Measurement[], isQuick: boolean): string {
  const head = headings.map((each) => `<th role="columnheader" scope="col">${each}</th>`).join('');
  const rows = measurements.map((each) => `<tr role="row">${measurementCells(each, isQuick)}</tr>`);
  return `<table class="measurements" role="table">
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">
${rows.join('\n')}
</tbody>
</table>`;
}

function measurementCells(measurement: Measurement, isQuick: boolean): string {
  const { name, value, unit, reference, referenceValue, ratio, spread, error } = measurement;
  const range = Array.isArray(spread) ? spread.map((each: number) => formatRatio(each)).join(' to ') : '–';
  const uncertainty =
    error === undefined ? '' : ` <span class="unit number">±${(error * 100).toFixed(1)} %</span>`;
  const cells = [
    quantity(value, unit),
    `${quantity(referenceValue, unit)} <span class="soft">${escape(reference)}</span>`,
    `<b class="number">${formatRatio(ratio)}</b>${uncertainty} <span class="soft number">${range}</span>`,
    promiseCell(measurement, isQuick),
  ].map((cell, n) => `<td role="cell" data-label="${headings[n + 1] ?? ''}"><div>${cell}</div></td>`);
  return `<th role="rowheader" scope="row">${escape(name).replaceAll('/', '/<wbr>')}</th>${cells.join('')}`;
}

function quantity(value: number, unit: string): string {
  return `<span class="number">${format(value)}</span> <span class="unit">${escape(unit)}</span>`;
}

/** Whether the ratio is what the project promises; undefined without a promise. */
export function isKept({ ratio, atLeast, atMost }: Measurement): boolean | undefined {
  if (atLeast === undefined && atMost === undefined) return undefined;
  return Number.isFinite(ratio) && ratio >= (atLeast ?? -Infinity) && ratio <= (atMost ?? Infinity);
}

function promiseCell(measurement: Measurement, isQuick: boolean): string {
  const { atLeast, atMost } = measurement;
  const kept = isKept(measurement);
  if (kept === undefined) return '<span class="soft">none</span>';
  const bounds = [
    ...(atLeast === undefined ? [] : [`at least <span class="number">${format(atLeast)}</span>`]),
    ...(atMost === undefined ? [] : [`at most <span class="number">${format(atMost)}</span>`]),
  ].join(', ');
  if (isQuick) return `${bounds} <span class="soft">not judged: a quick run</span>`;
  const verdict = kept
    ? '<span class="kept"><span aria-hidden="true">✓</span> reached</span>'
    : '<span class="broken"><span aria-hidden="true">✗</span> not reached</span>';
  return `${bounds} ${verdict}`;
}
