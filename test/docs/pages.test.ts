/** Properties that readers of README and docs/ rely on: valid links, pages of one shape, and a short first page. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, fencesOf, linksOf, proseOf } from '../../site/markdown.ts';
import { readPage, readPages, root } from '../../site/pages.ts';
import { providers } from '../../src/exports/providers/index.ts';

const guides = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SKILL.md'];
const guidePages = guides.map((file) => ({ file, text: readPage(file) }));
const pages = [...readPages(), ...guidePages];

/** The fault of a link on this page; undefined for links to other sites. */
function faultOf(file: string, text: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [target = '', anchor] = link.split('#');
  const found = target === '' ? file : path.join(path.dirname(file), target);
  if (!existsSync(path.join(root, found))) return `${link}: there is no such file`;
  if (anchor === undefined || !found.endsWith('.md')) return undefined;
  const headings = anchorsOf(target === '' ? text : readPage(found));
  return headings.includes(anchor) ? undefined : `${link}: the page has no such heading`;
}

/** Files that a text names in code, by any tail of their path. */
function filesNamed(text: string): string[] {
  const code = [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return code.flatMap((span) => span.match(/(?<![\w./*<-])[\w/][\w./-]*\.(?:ts|cjs|sql)(?![\w-])/g) ?? []);
}

const isExample = (name: string): boolean => /\d+n_/.test(name);
const sources = ['src', 'workers', 'test', 'bench', 'generate', 'packaging', 'site'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    path.join('/', folder, file),
  ),
);

describe('the documentation', () => {
  it.each([...pages.filter(({ file }) => file.startsWith('docs/design/')), ...guidePages])(
    'names only files that are there in $file',
    ({ text }) => {
      const missing = filesNamed(text).filter((name) => !sources.some((file) => file.endsWith(`/${name}`)));
      expect(missing.filter((name) => !isExample(name))).toEqual([]);
    },
  );

  it('names files in the ways that are looked for', () => {
    expect(filesNamed('In `store/a.ts` and `b.ts, c.sql`, not c.ts, `*.test.ts` or `d.tsx`.')).toEqual([
      'store/a.ts',
      'b.ts',
      'c.sql',
    ]);
    expect(pages.flatMap(({ text }) => filesNamed(text)).length).toBeGreaterThan(50);
  });

  it.each(pages)('has only links that lead somewhere in $file', ({ file, text }) => {
    expect(linksOf(text).flatMap((link) => faultOf(file, text, link) ?? [])).toEqual([]);
  });

  it.each(pages)('has one title in $file', ({ text }) => {
    expect(proseOf(text).match(/^# .+$/gm)).toHaveLength(1);
  });

  // Without --no, npx would run a package of that name from the registry, which is not ours.
  it.each(pages)('asks npx for nothing that is not installed in $file', ({ text }) => {
    expect(
      fencesOf(text).flatMap(({ text: code }) => code.match(/npx (?!--no )\S*carryover.*/g) ?? []),
    ).toEqual([]);
  });

  it('is reached from README.md or ARCHITECTURE.md, each page of it', () => {
    const known = new Map(readPages().map(({ file, text }) => [file, text]));
    const reached = new Set<string>();
    const visit = (file: string): void => {
      const text = known.get(file);
      if (text === undefined || reached.has(file)) return;
      reached.add(file);
      for (const link of linksOf(text)) visit(path.join(path.dirname(file), link.split('#')[0] ?? ''));
    };
    visit('README.md');
    linksOf(readPage('ARCHITECTURE.md')).forEach(visit);
    expect([...known.keys()].filter((file) => !reached.has(file))).toEqual([]);
  });

  it('begins with pages that are short', () => {
    const bytes = (file: string): number => Buffer.byteLength(readPage(file));
    expect(readPage('README.md').split('\n').length).toBeLessThanOrEqual(121);
    expect(bytes('README.md')).toBeLessThanOrEqual(10_000);
    expect(bytes('ARCHITECTURE.md')).toBeLessThanOrEqual(8000);
  });
});

describe.each(providers)('the page of $name', ({ name }) => {
  const page = readPage(`docs/from/${name}.md`);

  it('has the shape that all of them have', () => {
    expect(page.match(/^## .+$/gm)).toEqual(
      ['Get the file', 'What is lost', 'Commands', 'Check', 'A later export', 'Cut-over'].map(
        (heading) => `## ${heading}`,
      ),
    );
  });

  it('says what the code says, and shows the commands', () => {
    expect(page).toContain(`<!-- facts: provider ${name} -->`);
    const run = fencesOf(page).filter(({ info }) => info === 'run');
    expect(run.map(({ text }) => text).join('\n')).toMatch(
      /carryover inspect .*\n.*import .* --dry-run\n.*import /,
    );
  });

  it('is linked from the README', () => {
    expect(linksOf(readPage('README.md'))).toContain(`docs/from/${name}.md`);
  });
});
