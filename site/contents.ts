/** The pages of the site, their order, and their addresses. */
import path from 'node:path';
import { titleOf } from './markdown.ts';
import { type Page, readPage, readPages } from './pages.ts';

export interface SitePage extends Page {
  readonly title: string;
  /** From the site's root: `guide/sdk.html`. */
  readonly address: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/** Pages outside of README and docs/ that belong to the site. */
const ofBuilding = ['SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/PROFILE.md'];
const skill = 'SKILL.md';
const others = [...ofBuilding, skill];

/** In the order for a reader: titles, and their pages, the named ones first. */
const outline: readonly (readonly [title: string, folder: string, first: readonly string[]])[] = [
  ['Begin', '', ['README.md', 'docs/start.md', 'docs/measured.md']],
  [
    'Move',
    'docs/guide/',
    [
      'docs/guide/cutover.md',
      'docs/guide/rehearse.md',
      'docs/guide/rejects.md',
      'docs/guide/without-hashes.md',
      skill,
    ],
  ],
  ['From', 'docs/from/', ['docs/from/index.md']],
  ['Run', 'docs/operate/', ['docs/operate/install.md', 'docs/operate/settings.md']],
  ['Look up', 'docs/reference/', ['docs/reference/record.md', 'docs/reference/guarantees.md']],
  ['How it is built', 'docs/design/', ofBuilding],
];

/** @throws Error when a page has no place in the contents */
export function readContents(): readonly Section[] {
  const pages = [...readPages(), ...others.map((file) => ({ file, text: readPage(file) }))].map(sitePage);
  const sections = outline.map(([title, folder, first]) => ({
    title,
    pages: [
      ...first.flatMap((file) => pages.find((page) => page.file === file) ?? []),
      ...pages.filter(({ file }) => folder !== '' && file.startsWith(folder) && !first.includes(file)),
    ],
  }));
  const placed = new Set(sections.flatMap((section) => section.pages));
  const lost = pages.filter((page) => !placed.has(page));
  if (lost.length > 0) throw new Error(`no section holds ${lost.map(({ file }) => file).join(', ')}`);
  return sections;
}

function sitePage(page: Page): SitePage {
  // Metadata for the tools of agents.
  const text = page.text.replace(/^---\n[^]*?\n---\n/, '');
  return { ...page, text, title: titleOf(text), address: addressOf(page.file) };
}

export function addressOf(file: string): string {
  if (file === 'README.md') return 'index.html';
  return file.replace(/^docs\//, '').replace(/\.md$/, '.html');
}

/** From one page of the site to another file of it. */
export function relative(from: string, to: string): string {
  return path.posix.relative(path.posix.dirname(from), to);
}
