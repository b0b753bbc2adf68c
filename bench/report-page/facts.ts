/** What measurements tell besides their ratio. */
import type { Measurement } from '../scenario.ts';
import { escape, format } from './text.ts';

/** What a measurement tells besides, as `latencyMs.p50 3`. */
export function detailList(scenarios: readonly Measurement[]): string {
  const items = scenarios.flatMap(({ name, details }) => {
    const facts = details ? flatten(details) : [];
    return facts.length === 0
      ? []
      : [`<dt>${escape(name)}</dt><dd>${facts.map((fact) => `<span>${fact}</span>`).join(' ')}</dd>`];
  });
  return items.length === 0 ? '' : `<dl class="facts">${items.join('\n')}</dl>`;
}

function flatten(value: unknown, path = ''): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) =>
      flatten(inner, path === '' ? key : `${path}.${key}`),
    );
  const text = typeof value === 'number' ? format(value) : escape(value);
  return [`<span class="soft">${escape(path)}</span> <span class="number">${text}</span>`];
}
