/**
 * The report of a run: one self-contained page, its pictures as files, and the results for programs. The same input gives the
 * same bytes: no clock is read and no random id is used.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { schemes, widths, type Scheme, type Width } from '../../src/page/look.ts';
import { renderPage, type Drawn } from './page.ts';
import { drawVariants } from './pictures.ts';
import { plotIds, seriesOf, type PlotId, type Results } from './results.ts';
import { framed } from './svg.ts';

export { parseResults, type Results } from './results.ts';

/** The folder for the report of a whole run; git ignores it. */
export const defaultFolder = path.join(import.meta.dirname, '..', 'report');

/** Writes `index.html`, `results.json` and `plots/*.svg`. @returns the path of the page */
export async function writeReport(results: Results, folder: string): Promise<string> {
  await mkdir(path.join(folder, 'plots'), { recursive: true });
  const files = renderReport(results);
  for (const [name, text] of files) await writeFile(path.join(folder, name), text);
  // Pictures of an earlier run without data in this one would be mistaken for its own.
  const stale = everyPlotFile().filter((name) => !files.has(name));
  for (const name of stale) await rm(path.join(folder, name), { force: true });
  return path.join(folder, 'index.html');
}

/** The files' names, with `/`, and texts. */
export function renderReport(results: Results): Map<string, string> {
  const all = plotIds.map((id) => ({ id, series: seriesOf(id, results.scenarios) }));
  const drawn = all.map(({ id, series }): Drawn => {
    return { id, series, variants: series.length === 0 ? [] : drawVariants(id, series) };
  });
  return new Map([
    ['index.html', renderPage(results, drawn)],
    ['results.json', `${JSON.stringify(results, undefined, 2)}\n`],
    ...drawn.flatMap(({ id, variants }) =>
      variants.map(({ width, scheme, svg }) => [plotFile(id, width, scheme), `${framed(svg)}\n`] as const),
    ),
  ]);
}

/** As `plots/growth-wide-dark.svg`. */
function plotFile(id: PlotId, width: Width, scheme: Scheme): string {
  return `plots/${id}-${width}-${scheme}.svg`;
}

function everyPlotFile(): string[] {
  return plotIds.flatMap((id) =>
    widths.flatMap((width) => schemes.map((scheme) => plotFile(id, width, scheme))),
  );
}
