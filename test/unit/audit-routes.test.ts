/** Routes with entries in the audit log, and that the page of the audit log lists them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RouteAudit } from '../../src/http/audit/act.ts';
import { allRoutes, onlyReads } from '../helpers/route-table.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/operate/audit.md'), 'utf8');

/** The acts in the row of the table that begins like this. */
function actsIn(row: string): string[] {
  const line = page.split('\n').find((each) => each.startsWith(`| ${row}`)) ?? '';
  return [...line.slice(row.length).matchAll(/`([^`]+)`/g)].map(([, act = '']) => act).sort();
}

const named = (...whens: readonly RouteAudit['when'][]) => {
  const acts = allRoutes().flatMap(({ audit }) => (audit && whens.includes(audit.when) ? [audit.what] : []));
  return [...new Set(acts)].sort();
};

describe('every route', () => {
  it('that changes something is in the audit log, or says why it is not', () => {
    const changing = allRoutes().filter((route) => !onlyReads(route));
    expect(changing.length).toBeGreaterThan(70);
    const silent = changing.filter(
      ({ audit, unaudited }) => (audit === undefined) === (unaudited === undefined),
    );
    expect(silent.map(({ method, path: its }) => `${method} ${its}`)).toEqual([]);
  });

  it('that only reads is not, but for the export of all users and whole rejected records', () => {
    const reading = allRoutes().filter((route) => onlyReads(route) && route.audit !== undefined);
    expect(reading.map(({ path: its }) => its)).toEqual(['/console/runs/{id}/rejects', '/bulk-export/users']);
  });

  it('that keeps a value keeps no secret one', () => {
    const kept = allRoutes().flatMap(({ audit }) => audit?.fields ?? []);
    expect(kept.filter((field) => /password|secret|hash|code|(?<!super)token|key$/i.test(field))).toEqual([]);
  });
});

describe('the page of the audit log lists', () => {
  it('the acts that have an entry of their own before they are done', () => {
    expect(actsIn('before the act is done')).toEqual(named(undefined));
  });

  it('those that have one when they are done, with those of the core itself', () => {
    expect(actsIn('when it is done')).toEqual(
      [...named('reported', 'granted'), 'core.start', 'keys.reload', 'move.stop'].sort(),
    );
  });

  it('those that are counted with their address', () => {
    expect(actsIn('counted, within ten seconds')).toEqual([...named('often'), 'key.refused'].sort());
  });

  it('those that are counted by the hour', () => {
    expect(actsIn('counted by the hour')).toEqual(named('hourly', 'granted'));
  });
});
