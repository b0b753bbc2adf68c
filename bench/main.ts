import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { bulk } from './load/bulk.ts';
import { bulkGrowth } from './load/bulk-growth.ts';
import { importHttp } from './load/import-http.ts';
import { mixed } from './load/mixed.ts';
import { describeMachine } from './machine.ts';
import type { Measurement, Scenario } from './scenario.ts';

const scenarios: readonly Scenario[] = [bulk, bulkGrowth, mixed, importHttp];

const usage = `npm run bench [-- <scenario> …] [--quick] [--json FILE]

${scenarios.map(({ name, about }) => `  ${name.padEnd(14)} ${about}`).join('\n')}

Each figure is printed with a reference that was measured in the same run: compare ratios, not figures, between machines.
--quick runs a small version of everything, to see that it works: too short and cold for its ratios to count. --json writes machine and results to a file.`;

function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

function describe(measurement: Measurement, isQuick: boolean): string {
  const { name, value, unit, reference, referenceValue, ratio, spread } = measurement;
  const figures = `${format(value)} ${unit}, ${reference} ${format(referenceValue)}`;
  const range = spread.map((each) => each.toFixed(2)).join(' to ');
  return `${name}: ratio ${ratio.toFixed(2)} (${range}${isQuick ? '' : promiseOf(measurement)}); ${figures}`;
}

/** Not for a quick run, which is too short and too cold to be held against what is promised. */
function promiseOf({ ratio, atLeast, atMost }: Measurement): string {
  if (atLeast !== undefined) return `, promised ${atLeast}${ratio >= atLeast ? '' : ': NOT REACHED'}`;
  if (atMost !== undefined) return `, promised at most ${atMost}${ratio <= atMost ? '' : ': NOT KEPT'}`;
  return '';
}

function format(value: number): string {
  return value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en');
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, json: { type: 'string' }, help: { type: 'boolean' } },
  });
  const unknown = positionals.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (values.help || unknown !== undefined) {
    print(unknown === undefined ? usage : `There is no scenario '${unknown}'.\n\n${usage}`);
    process.exitCode = unknown === undefined ? 0 : 2;
    return;
  }
  const machine = describeMachine();
  print(
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}, ${machine.fsyncsPerSecond} fsyncs/s`,
  );
  const results: Measurement[] = [];
  for (const scenario of scenarios) {
    if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
    print(`\n${scenario.name}: ${scenario.about}`);
    const measurements = await scenario.run({
      quick: values.quick ?? false,
      say: (line) => {
        print(`  ${line}`);
      },
    });
    for (const measurement of measurements) print(`  ${describe(measurement, values.quick ?? false)}`);
    results.push(...measurements);
  }
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify({ machine, scenarios: results }, undefined, 2)}\n`);
    print(`\nwritten to ${values.json}`);
  }
}

await main();
