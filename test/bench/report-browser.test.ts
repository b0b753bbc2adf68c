import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReport } from '../../bench/report-page/report.ts';
import { exampleResults } from './report-results.ts';

const executablePath = '/usr/bin/chromium';
const why = existsSync(executablePath) ? '' : ` (skipped: there is no ${executablePath})`;

const views = [320, 390, 768, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);

/** What a reader has before them. */
interface Seen {
  readonly pageWidth: number;
  readonly background: string;
  /** Classes of the pictures that are shown. */
  readonly pictures: readonly string[];
  /** Texts of pictures that leave their picture, lie on another text, or are small. */
  readonly flaws: readonly string[];
  /** Texts of cells that reach into the next column. */
  readonly tooWide: readonly string[];
}

/** As text, for the browser: it knows of a document, and this project's types do not. */
const look = `(() => {
  const shown = [...document.querySelectorAll('.plot svg')].filter((svg) => svg.getBoundingClientRect().width > 0);
  const flaws = shown.flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map((text) => ({ text, box: text.getBoundingClientRect() }));
    const outside = texts.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
    const covered = texts.filter(({ box }, n) => texts.slice(n + 1).some(({ box: other }) =>
      box.left < other.right - 1 && other.left < box.right - 1 && box.top < other.bottom - 2 && other.top < box.bottom - 2));
    const small = texts.filter(({ text }) => parseFloat(getComputedStyle(text).fontSize) * frame.width / svg.viewBox.baseVal.width < 11);
    return [...outside, ...covered, ...small].map(({ text }) => text.textContent);
  });
  const cells = [...document.querySelectorAll('.measurements td > div')];
  const tooWide = cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent);
  return {
    tooWide,
    pageWidth: document.scrollingElement.scrollWidth,
    background: getComputedStyle(document.body).backgroundColor,
    pictures: shown.map((svg) => svg.getAttribute('class')),
    flaws,
  };
})()`;

describe.skipIf(why !== '')(`the page in a browser${why}`, () => {
  let browser: Browser;
  let folder: string;
  let address: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-report-'));
    address = pathToFileURL(await writeReport(exampleResults, folder)).href;
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  async function seen(
    { width, scheme }: (typeof views)[number],
    prepare?: (page: Page) => Promise<unknown>,
  ): Promise<Seen> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
    await page.goto(address);
    await prepare?.(page);
    const found = await page.evaluate<Seen>(look);
    await page.close();
    return found;
  }

  it.each(views)(
    'shows five whole pictures at $width px, $scheme, and does not scroll sideways',
    async (view) => {
      const { pageWidth, pictures, flaws, tooWide } = await seen(view);
      expect(pageWidth).toBe(view.width);
      const expected = `${view.width < 840 ? 'narrow' : 'wide'} ${view.scheme}`;
      expect(pictures).toEqual(Array.from({ length: 5 }, () => expected));
      expect(flaws).toEqual([]);
      expect(tooWide).toEqual([]);
    },
  );

  it.each([390, 1280])('stays within %s px with every table open', async (width) => {
    const open = (page: Page) =>
      page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    expect((await seen({ width, scheme: 'light' }, open)).pageWidth).toBe(width);
  });

  it('is dark for who wants it dark', async () => {
    const [light, dark] = await Promise.all(
      (['light', 'dark'] as const).map((scheme) => seen({ width: 390, scheme })),
    );
    expect(light?.background).toBe('rgb(255, 255, 255)');
    expect(dark?.background).toBe('rgb(20, 23, 27)');
  });
});
