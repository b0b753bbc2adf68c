import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReport } from '../../bench/report-page/report.ts';
import { exampleResults } from './report-results.ts';

const executablePath = '/usr/bin/chromium';
const why = existsSync(executablePath) ? '' : ` (skipped: there is no ${executablePath})`;

/** As text, for the browser: it has a document, which this project's types lack. */
const look = `(() => {
  const cells = [...document.querySelectorAll('td > div')];
  const shown = [...document.querySelectorAll('.plot svg')].filter((svg) => svg.getBoundingClientRect().width > 0);
  return {
    width: document.scrollingElement.scrollWidth,
    cut: cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
    pictures: shown.map((svg) => svg.getAttribute('class')),
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

  it.each([
    { width: 390, colorScheme: 'dark', kind: 'narrow' },
    { width: 1280, colorScheme: 'light', kind: 'wide' },
  ] as const)('hides no figure at $width px, and shows each picture once', async (view) => {
    const { width, colorScheme, kind } = view;
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    await page.goto(address);
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    const pictures = Array.from({ length: 5 }, () => `${kind} ${colorScheme}`);
    expect(await page.evaluate(look)).toEqual({ width, cut: [], pictures });
    await page.close();
  });
});
