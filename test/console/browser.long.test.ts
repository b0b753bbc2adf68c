/** The console in Chromium, as people use it. */
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hashSync } from 'bcrypt';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type FileChooser,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';

const executablePath = '/usr/bin/chromium';
const why = existsSync(executablePath) ? '' : ` (skipped: there is no ${executablePath})`;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const password = 'correct horse battery staple';
const hash = '$2b$10$oCMUe0TXvCSGjlGT.6BjWOZ14WovNjg3HCl2rKyTCGf5buWWPnVm.';

const passwordHere = 'Changed-here-1';
const passwordThere = 'Changed-there-1';
const hashThere = hashSync(passwordThere, 4);

/** Texts, and parts of tables and lists: what is in them is kept. */
const leftOut =
  /^(text|rowgroup|row|cell|list|listitem|option|term|definition|paragraph|img|status|strong|code|time|caption)\b|^\//;

/** Roles and names of a snapshot, each once and without numbers, which differ from time to time. */
function treeOf(snapshot: string): string {
  const keys = snapshot.split('\n').map((line) => {
    const text = line.trim().replace(/^- /, '');
    const quoted = /^'((?:[^']|'')*)'/.exec(text)?.[1];
    return quoted?.replaceAll("''", "'") ?? text.replace(/:( .*)?$/, '');
  });
  const kept = keys
    .filter((key) => !leftOut.test(key))
    .map((key) => key.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d[\d,.]*/g, '#'));
  return [...new Set(kept)].join('\n');
}

const record = (n: number): string =>
  JSON.stringify({
    externalUserId: `user-${n}`,
    loginMethods: [{ recipeId: 'emailpassword', email: `user-${n}@example.com`, passwordHash: hash }],
  });

describe.skipIf(why !== '')(`the console in a browser${why}`, () => {
  let browser: Browser;
  let folder: string;
  let core: TestCore;
  let errors: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-console-'));
    core = await startTestCore({ settings: { DATA_DIR: folder } });
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    await core.stop();
    await rm(folder, { recursive: true });
  });

  /** A page that is signed in. What it logs as an error fails the test. */
  async function open(context: BrowserContext, place = '', { url } = core): Promise<Page> {
    // However busy the machine is.
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
        errors.push(message.text());
    });
    await page.goto(`${url}/console${place}`);
    const key = page.getByLabel('API key').last();
    const head = page.getByRole('navigation', { name: 'Pages' });
    await key.or(head).first().waitFor();
    if (await key.isVisible()) {
      await key.fill(testApiKey);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await head.waitFor();
    }
    return page;
  }

  async function within<Value>(work: (context: BrowserContext) => Promise<Value>): Promise<Value> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    try {
      const value = await work(context);
      expect(errors).toEqual([]);
      return value;
    } finally {
      await context.close();
    }
  }

  /** Findings of axe-core that are more than minor, as text. */
  async function findings(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const found = await page.evaluate<{
      violations: { id: string; impact: string; nodes: { html: string }[] }[];
    }>('axe.run(document, { resultTypes: ["violations"] })');
    return found.violations
      .filter(({ impact }) => impact !== 'minor')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  async function fileOf(name: string, content: string): Promise<string> {
    const file = path.join(folder, name);
    await writeFile(file, content);
    return file;
  }

  /** Chooses a file, and looks into it. */
  async function look(page: Page, ...files: readonly string[]): Promise<void> {
    await page.getByLabel('Files', { exact: true }).setInputFiles([...files]);
    await page
      .getByRole('button', {
        name: files.length === 1 ? 'Look into it' : `Look into the ${files.length} files`,
      })
      .click();
    await page
      .getByRole('heading', { name: 'Next' })
      .or(page.getByRole('heading', { name: 'Try again' }))
      .waitFor();
  }

  const done = (page: Page) => page.locator('main').getByText(/^Done/).first();

  async function importNow(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: /^Import: / }).waitFor();
    await done(page).waitFor();
  }

  it('asks for a key, and says what is wrong with another', async () => {
    await within(async (context) => {
      const page = await context.newPage();
      await page.goto(`${core.url}/console`);
      await page.getByLabel('API key').last().fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('The core does not know this key').waitFor();
      expect(await findings(page)).toEqual([]);
    });
  });

  it('imports made-up people from the first look to the sign-in, and removes them by one click', async () => {
    await within(async (context) => {
      const page = await open(context);
      await page.getByRole('button', { name: 'Try it with made-up people' }).click();
      await page.getByText('Laravel: 19,783 records').waitFor();
      await page.getByRole('button', { name: 'Hash doctor: try the known passwords' }).click();
      await page.getByRole('table', { name: 'Known passwords by kind of hash' }).waitFor();
      await page.getByRole('button', { name: 'Look into it' }).click();
      await page.getByText('Laravel: 19,783 records').waitFor();
      await page.getByRole('button', { name: 'Dry run' }).click();
      await done(page).waitFor();
      await page.getByText('Would be new').waitFor();
      await importNow(page);
      await page.getByRole('link', { name: /The import, with its rejects/ }).click();
      await page.getByRole('heading', { name: 'Rejected records' }).waitFor();
      const signedIn = await core.post('/recipe/signin', { email: 'bo.rossi.2@example.com', password });
      expect(signedIn.body.status).toBe('OK');
      await page.getByRole('link', { name: 'Import', exact: true }).click();
      await page.getByRole('button', { name: 'Remove the made-up people' }).click();
      await expect.poll(async () => (await core.get('/users/count')).body.count).toBe(0);
    });
  });

  it('proposes how to read a table of no known system, and takes it over', async () => {
    const rows = [1, 2, 3].map((n) => `${n},own-${n}@example.com,${hash},2020-01-02`);
    const file = await fileOf('own.csv', `uid,mail,pw,joined_on\n${rows.join('\n')}\n`);
    await within(async (context) => {
      const page = await open(context);
      await look(page, file);
      await page.getByRole('alert').getByText('of no system that is known').waitFor();
      await page.getByRole('button', { name: 'Propose how to read the columns' }).click();
      await page.getByText('all 3 values are email addresses').waitFor();
      await page.getByRole('button', { name: 'Look into it' }).click();
      await page.getByText('3 records').first().waitFor();
      await importNow(page);
    });
    const signedIn = await core.post('/recipe/signin', { email: 'own-2@example.com', password });
    expect(signedIn.body.status).toBe('OK');
  });

  it('goes on when the tab is closed in the middle, and is seen from another machine', async () => {
    const lines = Array.from({ length: 200_000 }, (_, n) => record(n)).join('\n');
    const file = await fileOf('large.ndjson', `${lines}\n`);
    const address = await within(async (context) => {
      const page = await open(context);
      await page.evaluate(`
        globalThis.longTasks = [];
        new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
          .observe({ type: 'longtask' });
      `);
      await look(page, file);
      await page.getByText('200,000 records').first().waitFor();
      await page.getByRole('button', { name: 'Dry run' }).waitFor();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('heading', { name: 'Import: large.ndjson' }).waitFor();
      const tasks = await page.evaluate<number[]>('longTasks');
      expect(tasks.filter((ms) => ms > 200)).toEqual([]);
      return new URL(page.url()).hash;
    });
    await within(async (context) => {
      const page = await open(context, address);
      await done(page).waitFor();
      await page.getByText('200,000', { exact: true }).first().waitFor();
    });
    const signedIn = await core.post('/recipe/signin', { email: 'user-199999@example.com', password });
    expect(signedIn.body.status).toBe('OK');
  });

  it('lets a rejected record be corrected in the page, and imports it', async () => {
    const file = await fileOf(
      'bad.ndjson',
      `${record(900_001).replace('@example.com', '')}\n${record(900_002)}\n`,
    );
    await within(async (context) => {
      const page = await open(context);
      await look(page, file);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('heading', { name: 'Rejected: 1' }).waitFor();
      await page.getByRole('button', { name: 'Correct it' }).click();
      const text = page.getByLabel('The corrected record');
      const before = await text.inputValue();
      expect(before).not.toContain(hash);
      await text.fill(
        before
          .replace('"user-900001"\n', '"user-900001"\n')
          .replace('"email": "user-900001"', '"email": "user-900001@example.com"'),
      );
      await page.getByRole('button', { name: 'Import 1 corrected record' }).click();
      await page.getByRole('heading', { name: /corrected-bad/ }).waitFor();
      await done(page).waitFor();
    });
    const signedIn = await core.post('/recipe/signin', { email: 'user-900001@example.com', password });
    expect(signedIn.body.status).toBe('OK');
  });

  /** Users who were imported, changed their passwords here, and have others in the next file, with one who is new. */
  async function conflicting(
    page: Page,
    name: string,
    numbers: readonly number[],
    at = core,
  ): Promise<string> {
    await page.goto(`${at.url}/console#/import`);
    await look(page, await fileOf(`${name}-1.ndjson`, numbers.map((n) => `${record(n)}\n`).join('')));
    await importNow(page);
    for (const n of numbers)
      await at.put('/recipe/user', { recipeUserId: `user-${n}`, password: passwordHere });
    const changed = [...numbers, 999_999].map((n) => `${record(n).replace(hash, hashThere)}\n`);
    return fileOf(`${name}-2.ndjson`, changed.join(''));
  }

  async function tryOut(page: Page, file: string, at = core): Promise<void> {
    await page.goto(`${at.url}/console#/import`);
    await look(page, file);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('heading', { name: 'Changed on both sides' }).waitFor();
    await page.getByRole('heading', { name: 'Next' }).waitFor();
  }

  it('lets each conflict be decided by keyboard, and the others alike', async () => {
    await within(async (context) => {
      const page = await open(context);
      await tryOut(page, await conflicting(page, 'both', [900_101, 900_102, 900_103]));
      const choices = page.getByRole('table', { name: 'Conflicts' }).getByRole('group');
      await expect.poll(() => choices.count()).toBe(3);
      for (const [n, presses] of [
        [0, 1],
        [1, 2],
      ] as const) {
        await choices.nth(n).getByRole('radio', { checked: true }).focus();
        for (let pressed = 0; pressed < presses; pressed++) await page.keyboard.press('ArrowUp');
      }
      await page.getByRole('button', { name: 'Import only the 2 decided records' }).focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Import: both-2.ndjson' }).waitFor();
      await done(page).waitFor();
    });
    const by = async (n: number, given: string) =>
      (await core.post('/recipe/signin', { email: `user-${n}@example.com`, password: given })).body.status;
    expect(await by(900_101, passwordThere)).toBe('OK');
    expect(await by(900_102, passwordHere)).toBe('OK');
    expect(await by(900_103, passwordThere)).toBe('OK');
  });

  it('compares an export with the users here, and settles each class alike', async () => {
    const own = await startTestCore({ settings: { DATA_DIR: await mkdtemp(path.join(folder, 'own-')) } });
    await within(async (context) => {
      const page = await open(context, '', own);
      const importSettled = async (name: string): Promise<void> => {
        await page.getByRole('heading', { name: `Dry run: ${name}` }).waitFor();
        await page.getByRole('heading', { name: 'Next' }).waitFor();
        await importNow(page);
      };
      const next = await conflicting(page, 'shop', [900_201, 900_202], own);
      await tryOut(page, next, own);
      await page.getByRole('button', { name: 'Compare with the users here' }).click();
      const table = page.getByRole('table', { name: 'Differences' });
      await table.getByText('changed on both sides').first().waitFor();
      await expect.poll(() => table.getByRole('row').count()).toBe(4);
      expect(await page.locator('main').textContent()).not.toContain(hashThere);
      await page.getByRole('button', { name: 'Import them: Missing here' }).click();
      await importSettled('settled-missingHere-theirs.ndjson');
      await page.goto(`${own.url}/console#/move`);
      await page.getByLabel('The old system').selectOption('laravel');
      await page.getByRole('button', { name: 'Start a move' }).click();
      await page.getByText('No comparison is recorded yet.').waitFor();
      await page.getByRole('button', { name: 'Take theirs: Changed on both sides' }).click();
      await importSettled('settled-both-theirs.ndjson');
      await page.goto(`${own.url}/console#/import`);
      await look(page, next);
      await page.getByRole('button', { name: 'Compare with the users here' }).click();
      await page.getByText('Nothing differs.').waitFor();
      await page.getByRole('button', { name: 'Record it in the move' }).click();
      await page.getByText('It is recorded in the move.').waitFor();
      await page.goto(`${own.url}/console#/move`);
      await page.getByText(/^Recorded in the move, /).waitFor();
      await page.getByText('Nothing differs.').waitFor();
    });
    await own.stop();
  });

  it('shows a long list whole, and searches, sorts and leaves it by keyboard', async () => {
    const lines = Array.from({ length: 2000 }, (_, n) => record(910_000 + n).replace('@example.com', ''));
    const file = await fileOf('long.ndjson', `${lines.join('\n')}\n`);
    await within(async (context) => {
      const page = await open(context);
      await look(page, file);
      await importNow(page);
      await page.getByRole('link', { name: /The import, with its rejects/ }).click();
      const list = page.getByRole('region', { name: 'Rejected records' });
      const ofRows = '.long tbody tr[aria-rowindex]';
      const rows = page.locator(ofRows);
      const indexes = async () =>
        (
          await page.evaluate<string[]>(
            `[...document.querySelectorAll('${ofRows}')].map((row) => row.ariaRowIndex)`,
          )
        ).map(Number);
      const rowCount = () => list.getByRole('table').getAttribute('aria-rowcount');
      await expect.poll(rowCount).toBe('2001');
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await list.focus();
        await page.keyboard.press('End');
        await expect.poll(async () => (await indexes()).at(-1)).toBe(2001);
        expect((await indexes()).length).toBeLessThan(100);
        expect([width, await findings(page)]).toEqual([width, []]);
        expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(width);
      }
      const byLine = list.getByRole('button', { name: 'Line' });
      for (const [sorted, first] of [
        ['ascending', '1'],
        ['descending', '2,000'],
      ] as const) {
        await byLine.focus();
        await page.keyboard.press('Enter');
        await list.locator(`th[aria-sort="${sorted}"]`).waitFor();
        await expect.poll(() => rows.first().locator('td').first().textContent()).toBe(first);
        expect((await indexes())[0]).toBe(2);
      }
      const search = page.getByRole('searchbox', { name: 'Search in these rows' });
      await search.fill('USER-91123');
      await page.getByText('10 of 2,000').waitFor();
      expect(await rowCount()).toBe('11');
      await search.focus();
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Past the list');
      await page.keyboard.press('Enter');
      expect(
        await page.evaluate<boolean>(
          `document.querySelector('.long').compareDocumentPosition(document.activeElement) === Node.DOCUMENT_POSITION_FOLLOWING`,
        ),
      ).toBe(true);
    });
  });

  it('says before anything is sent that there is no room for a file', async () => {
    const file = await fileOf('huge.ndjson', '');
    await truncate(file, 2 ** 43);
    await within(async (context) => {
      const page = await open(context);
      await page.getByLabel('Files', { exact: true }).setInputFiles(file);
      await page
        .getByRole('alert')
        .getByText('huge.ndjson has 8.0 TiB, and this core has room for')
        .waitFor();
      expect((await core.get('/console/files')).text).not.toContain('huge');
    });
  });

  it('shows markup and escapes of an export as text, everywhere', async () => {
    const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const lines = [
      {
        externalUserId: evil,
        loginMethods: [
          { recipeId: 'emailpassword', email: `"${evil.slice(0, 30)}"@x.test`, passwordHash: hash },
        ],
      },
      {
        externalUserId: `${evil}2`,
        loginMethods: [{ recipeId: 'emailpassword', email: evil, passwordHash: '\u001b[31m<b>no hash</b>' }],
      },
    ];
    const file = await fileOf('<b>evil<b>.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
    await within(async (context) => {
      const page = await open(context);
      await look(page, file);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('heading', { name: /^Rejected/ }).waitFor();
      for (const place of ['jobs', 'users', 'history']) {
        await page.goto(`${core.url}/console#/${place}`);
        await page.locator('main table').first().waitFor();
      }
      await page.goto(`${core.url}/console#/users/${encodeURIComponent(evil)}`);
      await page.locator('main h1').waitFor();
      expect(await page.title()).toBe('carryover');
      expect(await page.locator('main img, main script, main b').count()).toBe(0);
    });
  });

  it('says why a user cannot sign in, and helps', async () => {
    const restricted = JSON.parse(record(900_010)) as object;
    const file = await fileOf('one.ndjson', `${JSON.stringify({ ...restricted, isDisabled: true })}\n`);
    await within(async (context) => {
      const page = await open(context);
      await look(page, file);
      await importNow(page);
      await page.getByRole('link', { name: 'Users', exact: true }).click();
      await page.getByRole('searchbox').fill('user-900010');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'u…@e….com' }).click();
      await page.getByText('The user is disabled.').waitFor();
      await page.getByRole('button', { name: 'Lift the restriction' }).click();
      await page.getByText('The restriction is lifted').waitFor();
      await page.getByRole('button', { name: 'Show email and phone in full' }).click();
      await page.getByRole('heading', { name: 'user-900010@example.com' }).waitFor();
      await page.getByRole('button', { name: 'Make a reset link' }).click();
      const token = await page.locator('.token').textContent();
      const consumed = await core.post('/recipe/user/password/reset/token/consume', {
        method: 'token',
        token,
      });
      expect(consumed.body).toMatchObject({ status: 'OK' });
    });
  });

  it('starts a move, shows what is against its next step, and takes it with a plan', async () => {
    await within(async (context) => {
      const page = await open(context, '#/move');
      await page.getByLabel('The old system').selectOption('laravel');
      await page.getByRole('button', { name: 'Start a move' }).click();
      await page.getByText('Rehearsing: laravel leads').first().waitFor();
      await page.getByRole('button', { name: 'Next step…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Take the next step?' });
      await dialog.getByText('To following').waitFor();
      expect(await dialog.getByRole('button', { name: 'Do it' }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.goto(`${core.url}/console#/import`);
      await look(page, await fileOf('plan.ndjson', `${record(900_030)}\n`));
      await page.getByRole('button', { name: /^Plan: how long/ }).click();
      await page.getByRole('button', { name: 'Record it in the move' }).click();
      await page.getByText('It is recorded in the move.').waitFor();
      await page.goto(`${core.url}/console#/move`);
      await page.getByText('Nothing.').waitFor();
      await page.getByRole('button', { name: 'Next step…' }).click();
      await dialog.getByRole('button', { name: 'Do it' }).click();
      await page.getByText('Following: laravel leads').first().waitFor();
    });
  });

  it('says that the session has ended, and that nothing is lost', async () => {
    await within(async (context) => {
      const page = await open(context, '#/users');
      await context.clearCookies();
      await page.getByText('The session has ended. Nothing was lost').waitFor();
    });
  });

  it('is used by keyboard alone', async () => {
    const file = await fileOf('keys.ndjson', `${record(900_020)}\n`);
    await within(async (context) => {
      const page = await open(context);
      const press = async (name: string): Promise<void> => {
        for (let n = 0; n < 80; n++) {
          await page.keyboard.press('Tab');
          const focused = await page.evaluate<string>('document.activeElement.textContent.trim()');
          if (focused === name) return;
        }
        throw new Error(`the key Tab does not reach ${name}`);
      };
      let chosen: FileChooser | null = null;
      for (let attempt = 0; attempt < 5 && chosen === null; attempt++) {
        await press('Choose files');
        const chooser = page.waitForEvent('filechooser', { timeout: 20_000 }).catch(() => null);
        await page.keyboard.press('Enter');
        chosen = await chooser;
      }
      await chosen?.setFiles(file);
      await page.getByRole('button', { name: 'Look into it' }).waitFor();
      await press('Look into it');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Next' }).waitFor();
      await press('Import');
      await page.keyboard.press('Enter');
      await press('Import');
      await done(page).waitFor();
    });
  });

  it.each([
    { width: 1440, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'has no finding of axe-core that is more than minor and hides nothing at $width px, $colorScheme',
    async (view) => {
      const { width, colorScheme } = view;
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await open(context);
      const users = (await core.get('/users', { limit: '1' })).body.users as { id: string }[];
      const { jobs } = (await core.get('/bulk-import/jobs')).body as { jobs: { id: string }[] };
      const places = [
        'import',
        'jobs',
        `jobs/${jobs[0]?.id ?? ''}`,
        'move',
        'morning',
        'users',
        `users/${encodeURIComponent(users[0]?.id ?? '')}`,
        'history',
      ];
      for (const place of places) {
        await page.goto(`${core.url}/console#/${place}`);
        await page.locator('main h1').waitFor();
        await page.waitForLoadState('networkidle').catch(() => undefined);
        expect([place, await findings(page)]).toEqual([place, []]);
        const wide = await page.evaluate<number>('document.scrollingElement.scrollWidth');
        expect([place, wide]).toEqual([place, width]);
      }
      expect(errors).toEqual([]);
      await context.close();
    },
  );

  it('is read by screen readers as these trees', async () => {
    const own = await startTestCore({ settings: { DATA_DIR: await mkdtemp(path.join(folder, 'own-')) } });
    const trees: string[] = [];
    await within(async (context) => {
      const page = await open(context, '', own);
      const take = async (name: string, ...signs: readonly Locator[]): Promise<void> => {
        for (const sign of signs) await sign.first().waitFor();
        // The head is the same on all pages.
        const part = page.locator(trees.length === 0 ? 'body' : 'main');
        trees.push(`# ${name}\n${treeOf(await part.ariaSnapshot())}`);
      };
      await take('an empty core', page.getByRole('heading', { name: 'No export yet?' }));
      const next = await conflicting(page, 'tree', [1, 2], own);
      await take('an import', page.getByRole('link', { name: /The import, with its rejects/ }));
      await tryOut(page, next, own);
      await take('conflicts', page.getByRole('radio'));
      await page.getByRole('button', { name: 'Compare with the users here' }).click();
      await take(
        'a comparison',
        page.getByRole('button', { name: 'Import them: Missing here' }),
        page.getByRole('button', { name: 'Missing here 1' }),
      );
      await page.goto(`${own.url}/console#/import`);
      await look(page, await fileOf('bad.ndjson', `${record(3).replace('@example.com', '')}\n`));
      await take('a look into a file', page.getByRole('table', { name: 'Reasons of rejects' }));
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByRole('button', { name: 'Correct it' }).click();
      await take('a rejected record', page.getByLabel('The corrected record'));
      const { jobs } = (await own.get('/bulk-import/jobs')).body as {
        jobs: { id: string; dryRun: boolean }[];
      };
      const job = jobs.find(({ dryRun }) => !dryRun)?.id ?? '';
      for (const [place, ...signs] of [
        [
          'import',
          page.getByRole('table', { name: 'Files on this core' }),
          page.getByRole('table', { name: 'Runs on this core' }),
        ],
        ['jobs', page.getByRole('table', { name: 'Imports' })],
        [`jobs/${job}`, page.getByRole('heading', { name: 'Undo' })],
        ['move', page.getByRole('button', { name: 'Start a move' })],
        [
          'morning',
          page.getByText('Threads for passwords'),
          page.getByRole('heading', { name: 'Kinds of hashes' }),
        ],
        ['users', page.getByRole('table', { name: 'Users' })],
        ['users/user-1', page.getByRole('table', { name: 'Ways to sign in' })],
        ['history', page.getByRole('columnheader', { name: 'Outcome' })],
      ] as const) {
        await page.goto(`${own.url}/console#/${place}`);
        await take(place.replace(job, 'one'), ...signs);
      }
    });
    await own.stop();
    await expect(`${trees.join('\n\n')}\n`).toMatchFileSnapshot('trees.txt');
  });

  it('says that the core does not answer, and goes on when it does', async () => {
    await within(async (context) => {
      const page = await open(context, '#/jobs');
      await context.setOffline(true);
      await page.getByText('The core does not answer').first().waitFor();
      await context.setOffline(false);
      await expect.poll(() => page.getByText('The core does not answer').count()).toBe(0);
    });
  });
});
