/** The page: one file without scripts that needs nothing else. */
import type { Series } from '../scenario.ts';
import { pictures, type Variant } from './pictures.ts';
import { measurements } from './measurements.ts';
import { numberTables } from './number-tables.ts';
import type { PlotId, Results } from './results.ts';
import { style } from './style.ts';
import { escape, format } from './text.ts';

export interface Drawn {
  readonly id: PlotId;
  readonly series: readonly Series[];
  /** None without data. */
  readonly variants: readonly Variant[];
}

export function renderPage(results: Results, drawn: readonly Drawn[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>carryover, measured</title>
<style>${style}</style>
</head>
<body>
<main>
${header(results)}
${measurements(results)}
${drawn.map(section).join('\n')}
${reproduction()}
</main>
</body>
</html>
`;
}

function header({ machine, date, version }: Results): string {
  const when = [
    ...(date === undefined ? [] : [`Measured ${escape(date)}`]),
    ...(version === undefined ? [] : [`version ${escape(version)}`]),
  ].join(', ');
  return `<header>
<h1>carryover, measured</h1>
<p class="lead">How fast an authentication core takes over existing users and signs them in, each figure beside a reference that was measured in the same run on the same machine.</p>
${when === '' ? '' : `<p class="soft">${when}</p>`}
<dl class="machine">
${machineFacts(machine)
  .map(
    ([name, value], n) =>
      `<div${n === 0 ? ' class="broad"' : ''}><dt>${name}</dt><dd>${escape(value)}</dd></div>`,
  )
  .join('\n')}
</dl>
</header>`;
}

function machineFacts(machine: Results['machine']): [name: string, value: string][] {
  const unknown = 'not recorded';
  const { cpu, cores, memoryGiB, node, platform, postgresql, fsync, fsyncsPerSecond } = machine;
  const durability = fsync === 'on' ? 'fsync on' : `fsync ${fsync ?? 'unknown'}: may not be durable`;
  return [
    ['CPU', cpu ?? unknown],
    ['Cores', format(cores)],
    ['Memory', `${format(memoryGiB)} GiB`],
    ['System', platform ?? unknown],
    ['Node', node ?? unknown],
    ['Database', `${postgresql ?? unknown}, ${durability}`],
    ['Disk', `${format(fsyncsPerSecond)} fsyncs/s`],
  ];
}

function section({ id, series, variants }: Drawn): string {
  const picture = pictures[id];
  if (variants.length === 0)
    return `<section id="${id}">
<h2>${picture.title}</h2>
<p class="note">No scenario of this run measured it.</p>
</section>`;
  const inline = variants.map(({ width, scheme, svg }) =>
    svg.replace('<svg ', `<svg class="${width} ${scheme}" `),
  );
  return `<section id="${id}">
<h2>${picture.title}</h2>
<p>${picture.reading}</p>
<figure class="plot">
${inline.join('\n')}
</figure>
<details><summary>The numbers</summary>
<div class="scroll" role="region" aria-label="Numbers: ${picture.title}" tabindex="0">
${numberTables(series, picture)}
</div></details>
</section>`;
}

function reproduction(): string {
  return `<section>
<h2>Measure it yourself</h2>
<p>From a clone of the repository, with Node 20 or newer; nothing has to be installed or running besides, a PostgreSQL comes along.</p>
<pre><code>npm ci
npm run bench                 # every scenario
npm run bench -- bulk         # one of them
npm run bench -- --quick      # all of them, small: does it work here?
npm run bench -- --json FILE  # the results, for a program</code></pre>
<p>What this page shows stands for programs in <a href="results.json">results.json</a> beside it, and each picture as a file in <code>plots/</code>.</p>
</section>`;
}
