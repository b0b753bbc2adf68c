/** The page: one file without scripts that needs nothing else. Figures and missed bars first, rows folded. */
import type { Series } from '../scenario.ts';
import { headlineFigures, promises } from './headlines.ts';
import { pictures, type Variant } from './pictures.ts';
import type { PlotId, Results } from './results.ts';
import { scenarioSections } from './scenarios.ts';
import { documentOf } from '../../src/page/document.ts';
import { format } from '../../src/page/text.ts';

export interface Drawn {
  readonly id: PlotId;
  readonly series: readonly Series[];
  /** Empty without data. */
  readonly variants: readonly Variant[];
}

export function renderPage(results: Results, drawn: readonly Drawn[]): string {
  return documentOf({
    title: 'carryover, measured',
    lead: 'How fast an authentication core takes over existing users and signs them in, each figure beside a reference that was measured in the same run on the same machine.',
    facts: [...when(results), ...machineFacts(results.machine)],
    main: `${headlineFigures(results)}
${promises(results)}
${contents(drawn)}
${drawn.map(section).join('\n')}
<section id="scenarios">
<h2>Every measurement</h2>
<p>A ratio is the figure divided by its reference; beside it is its standard error, below it the smallest and the largest of all rounds. Figures belong to this machine: compare ratios between machines, never figures.</p>
${scenarioSections(results)}
</section>
${reproduction}`,
  });
}

function when({ date, version }: Results): string[] {
  return [
    ...(date === undefined ? [] : [`Measured ${date}`]),
    ...(version === undefined ? [] : [`version ${version}`]),
  ];
}

function machineFacts(machine: Results['machine']): string[] {
  const { cpu, cores, memoryGiB, node, platform, postgresql, fsync, fsyncsPerSecond } = machine;
  return [
    cpu ?? 'CPU not recorded',
    `${format(cores)} cores`,
    `${format(memoryGiB)} GiB`,
    platform ?? 'system not recorded',
    `Node ${node ?? 'not recorded'}`,
    postgresql ?? 'database not recorded',
    fsync === 'on' ? 'fsync on' : `fsync ${fsync ?? 'not recorded'}: may not be durable`,
    `${format(fsyncsPerSecond)} fsyncs/s`,
  ];
}

function contents(drawn: readonly Drawn[]): string {
  const links = drawn
    .filter(({ variants }) => variants.length > 0)
    .map(({ id }) => [id, pictures[id].title] as const);
  const all = [...links, ['scenarios', 'Every measurement'], ['again', 'Measure it yourself']];
  return `<nav>${all.map(([id, title]) => `<a href="#${id}">${title}</a>`).join('\n')}</nav>`;
}

function section({ id, variants }: Drawn): string {
  if (variants.length === 0) return '';
  const { title, reading } = pictures[id];
  const inline = variants.map(({ width, scheme, svg }) =>
    svg.replace('<svg ', `<svg class="${width} ${scheme}" `),
  );
  return `<section id="${id}">
<h2>${title}</h2>
<p>${reading}</p>
<figure class="plot">
${inline.join('\n')}
</figure>
</section>`;
}

const reproduction = `<section id="again">
<h2>Measure it yourself</h2>
<p>From a clone of the repository, with Node 20 or newer; nothing has to be installed or running besides, a PostgreSQL comes along.</p>
<pre><code>npm ci
npm run bench                 # every scenario
npm run bench -- bulk         # one of them
npm run bench -- --quick      # all of them, small: does it work here?
npm run bench -- --json FILE  # the results, for a program</code></pre>
<p>What this page shows is for programs in <a href="results.json">results.json</a> beside it, with every number of every picture, and each picture is a file in <code>plots/</code>.</p>
</section>`;
