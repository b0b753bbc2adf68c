/** `npm run docs`: README and docs/ as a static site, in site/out. It needs no server: open site/out/index.html. */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readContents, type Section, type SitePage } from './contents.ts';
import { layout } from './layout.ts';
import { proseOf } from './markdown.ts';
import { root } from './pages.ts';
import { render } from './render.ts';
import { searchIndex } from './search.ts';

/** Builds the site into `out`. @returns the addresses of its pages */
export async function build(out: string): Promise<readonly string[]> {
  const contents = readContents();
  const pages = contents.flatMap((section) => section.pages);
  const known = new Set(pages.map(({ file }) => file));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const page of pages) await write(out, page.address, layout(page, render(page, known), contents));
  await copyAssets(out);
  await write(
    out,
    'search-index.js',
    `window.searchIndex = ${JSON.stringify(JSON.stringify(searchIndex(pages)))};\n`,
  );
  await write(out, 'llms.txt', overview(contents));
  await write(out, 'llms-full.txt', pages.map(({ text }) => text).join('\n'));
  return pages.map(({ address }) => address);
}

async function write(out: string, address: string, content: string): Promise<void> {
  const file = path.join(out, address);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function copyAssets(out: string): Promise<void> {
  const here = import.meta.dirname;
  // Its build for a page without modules, which a browser also loads from a file.
  const search = fileURLToPath(new URL('../umd/index.js', import.meta.resolve('minisearch')));
  await Promise.all([
    cp(path.join(here, 'style.css'), path.join(out, 'style.css')),
    cp(path.join(here, 'page.js'), path.join(out, 'page.js')),
    cp(search, path.join(out, 'minisearch.js')),
    cp(path.join(root, 'docs/images'), path.join(out, 'images'), { recursive: true }),
  ]);
}

/** A list of all pages for programs that read text, each with its first sentence: llmstxt.org. */
function overview(contents: readonly Section[]): string {
  const sections = contents.map(
    ({ title, pages }) => `## ${title}\n\n${pages.map((page) => `${entryOf(page)}\n`).join('')}`,
  );
  return `# carryover\n\n> ${firstSentence(contents[0]?.pages[0])}\n\nAll pages in one text: llms-full.txt\n\n${sections.join('\n')}`;
}

function entryOf(page: SitePage): string {
  const about = firstSentence(page);
  return `- [${page.title}](${page.address})${about === '' ? '' : `: ${about}`}`;
}

/** Of the paragraph below the title, if there is one. */
function firstSentence(page: SitePage | undefined): string {
  const [, paragraph = ''] = proseOf(page?.text ?? '')
    .trim()
    .split(/\n{2,}/);
  if (!/^[A-Z`]/.test(paragraph)) return '';
  const text = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text;
}

if (import.meta.main) {
  const out = path.join(import.meta.dirname, 'out');
  const pages = await build(out);
  process.stdout.write(`${pages.length} pages: ${path.join(out, 'index.html')}\n`);
}
