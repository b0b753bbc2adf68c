/** The dashboard and the alert rules are PromQL, and use metrics that a core has. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startTestCore, type TestCore } from '../helpers/core.ts';

const folder = path.resolve(import.meta.dirname, '../../packaging/monitoring');
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

let core: TestCore;
let exposed: ReadonlyMap<string, string>;
beforeAll(async () => {
  core = await startTestCore();
  const { text } = await core.get('/metrics');
  exposed = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
});
afterAll(() => core.stop());

/** Metrics of ours that are not exposed, or have another type. */
function unknownIn(expr: string): string[] {
  return [...expr.matchAll(/\bcarryover_\w+/g)]
    .map(([name]) => name)
    .filter((name) => {
      const bare = name.replace(/_(bucket|sum|count)$/, '');
      return exposed.get(name) === undefined && exposed.get(bare) !== 'histogram';
    });
}

/** Text that Prometheus would not parse. Grafana replaces its variable by a time. */
function syntaxFaultsIn(expr: string): string[] {
  const query = expr.replaceAll('$__rate_interval', '5m');
  const faults: string[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from }) => {
      if (type.isError) faults.push(`${from}: ${query.slice(from, from + 20)}`);
    },
  });
  return faults;
}

test('alert rules', () => {
  const rules = (parse(read('alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(0);
  for (const { alert, expr } of rules) {
    expect(unknownIn(expr), alert).toEqual([]);
    expect(syntaxFaultsIn(expr), alert).toEqual([]);
  }
});

test('the dashboard', () => {
  const { panels } = JSON.parse(read('grafana.json')) as Dashboard;
  expect(panels.length).toBeGreaterThan(0);
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      expect(expr, title).toContain('carryover_');
      expect(unknownIn(expr), title).toEqual([]);
      expect(syntaxFaultsIn(expr), title).toEqual([]);
    }
});

test('an unknown name is found', () => {
  expect(unknownIn('rate(carryover_sign_ins[5m])')).toEqual(['carryover_sign_ins']);
});

test.each(['sum(rate(up[5m])', 'sum by outcome (up)', 'rate(up[5q])', 'nosuch(up)', 'up{job=~carryover}'])(
  'a syntax error is found: %s',
  (expr) => {
    expect(syntaxFaultsIn(expr)).not.toEqual([]);
  },
);

test('what Grafana alone understands is not a name', () => {
  expect(syntaxFaultsIn('rate(up[$__rate_interval])')).toEqual([]);
});
