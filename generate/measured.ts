/** Blocks of docs/measured.md, from the results in bench/kept/results.json. */
import { type Figure, isReached, type Kept, readKept, type SuiteRun } from '../bench/kept/kept.ts';
import { table } from './table.ts';

const kept = readKept();

/** By the name of the block. */
export const measuredBlocks: Readonly<Record<string, (argument: string) => string>> = {
  machine: () => machineText(kept.machine, kept),
  figures: (section) => figuresOf(section, kept),
  'other-machines': () => otherMachines(kept),
  'not-reached': () => notReached(kept),
  'sdk-suites': () => suites(kept),
  environments: () => environments(kept),
};

function machineText(name: string, { machines }: Kept): string {
  const machine = machines[name];
  if (machine === undefined) throw new Error(`results.json: there is no machine called ${name}`);
  const { cpu, cores, memoryGiB, node, postgresql } = machine;
  const memory = memoryGiB === undefined ? '' : `, ${memoryGiB} GiB`;
  return `${cores} cores of an ${cpu}${memory}, Node ${node.replace('v', '')} and PostgreSQL ${postgresql.replace('PostgreSQL ', '')}.`;
}

function figuresOf(section: string, { machine, figures }: Kept): string {
  const rows = figures.filter((each) => each.section === section);
  if (rows.length === 0) throw new Error(`results.json: no figure is in section ${section}`);
  const ofMachine = rows.filter((each) => each.machine === machine);
  if (ofMachine.length === 0) return 'Not measured on this machine: see [other machines](#other-machines).';
  return figureTable(ofMachine);
}

function figureTable(rows: readonly Figure[]): string {
  return table(
    ['what', 'figure', 'compared with a reference of the same run', 'bar', 'measured'],
    rows.map((row) => [row.what, valueOf(row), comparisonOf(row), barOf(row), `${row.date}, ${row.commit}`]),
  );
}

function otherMachines({ machine, machines, figures }: Kept): string {
  const others = Object.keys(machines).filter((name) => name !== machine);
  return others
    .map((name) => {
      const rows = figures.filter((row) => row.machine === name);
      return `${machineText(name, kept)}\n\n${figureTable(rows)}`;
    })
    .join('\n\n');
}

function notReached({ machines, figures }: Kept): string {
  const lines = figures
    .filter((row) => !isReached(row))
    .map((row) => {
      const on = machines[row.machine]?.cpu ?? '';
      return `- ${row.what}: ${comparisonOf(row)}; the bar is ${barText(row)} (${on}).`;
    });
  return lines.length === 0 ? 'Every bar is reached.' : lines.join('\n');
}

function valueOf({ value, unit }: Figure): string {
  if (value === undefined) return '';
  return `${value < 10 ? String(value) : value.toLocaleString('en')} ${unit ?? ''}`.trimEnd();
}

function comparisonOf({ ratio, against, range, note }: Figure): string {
  const rounds = range === undefined ? '' : ` (${range.map((each) => each.toFixed(2)).join(' to ')})`;
  return `${ratio.toFixed(2)} × ${against}${rounds}${note === undefined ? '' : `; ${note}`}`;
}

function barText({ bar }: Figure): string {
  const { atLeast, atMost } = bar ?? {};
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${atMost}`;
  if (atLeast !== undefined) return `at least ${atLeast}`;
  return atMost === undefined ? '' : `at most ${atMost}`;
}

function barOf(row: Figure): string {
  return isReached(row) ? barText(row) : `${barText(row)}: not reached`;
}

function suites({ suites: runs }: Kept): string {
  const failures = ({ failed }: SuiteRun): string =>
    failed.map(({ count, why }) => `${count}: ${why}`).join('; ');
  const rows = runs.map((run) => [
    `${run.sdk} ${run.version}`,
    run.cdi,
    run.parts.join(', '),
    String(run.passed),
    failures(run),
    run.date,
  ]);
  return table(['release', 'interface', 'parts of its suite', 'passed', 'failed', 'run'], rows);
}

function environments({ environments: all }: Kept): string {
  const counts = ['environments', 'done', 'importsRefused', 'startRefused', 'faults'] as const;
  const rows = all.map((row) => [row.memory, ...counts.map((name) => String(row[name]))]);
  const sums = counts.map((name) => String(all.reduce((sum, row) => sum + row[name], 0)));
  return table(
    ['memory', 'environments', 'everything done', 'imports refused', 'start refused', 'faults'],
    [...rows, ['in all', ...sums]],
  );
}
