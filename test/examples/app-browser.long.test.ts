/** The example app in a real browser, with the unmodified SDK for browsers. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { type ExampleApp, startExampleApp } from '../helpers/example-app.ts';
import { WebClient } from '../helpers/web-client.ts';

const executablePath = '/usr/bin/chromium';
const why = existsSync(executablePath) ? '' : ` (skipped: there is no ${executablePath})`;

const password = 'correct horse battery staple';

describe.skipIf(why !== '')(`the example in a browser${why}`, () => {
  let core: TestCore;
  let app: ExampleApp;
  let browser: Browser;
  beforeAll(async () => {
    core = await startTestCore();
    [app, browser] = await Promise.all([
      startExampleApp(core, 'browser'),
      chromium.launch({ executablePath, args: ['--no-sandbox'] }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await app.stop();
    await core.stop();
  });

  /** A visitor with a narrow window. A page with an error, or wider than the window, fails the test. */
  async function visit(act: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
    // However busy the machine is.
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (line) => {
      if (line.type() === 'error' && !line.text().startsWith('Failed to load')) faults.push(line.text());
    });
    page.on('response', (answer) => {
      if (answer.status() >= 500 || answer.status() === 404)
        faults.push(`${answer.status()} ${answer.url()}`);
    });
    await page.goto(app.url);
    await page.waitForURL('**/sign-in');
    await act(page);
    expect(faults).toEqual([]);
    await context.close();
  }

  async function signIn(page: Page, email: string, given = password): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(given);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** The page fits, and shows the account of this user. */
  async function expectAccount(page: Page, userId: string): Promise<void> {
    await page.waitForURL(`${app.url}/`);
    await page.locator('#user-id').getByText(userId, { exact: true }).waitFor();
    await expectFits(page);
  }

  async function expectFits(page: Page): Promise<void> {
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(390);
  }

  const tokenFrom = (page: Page): Promise<string | null> =>
    page.locator('#token-from').getAttribute('datetime');

  /** Waits until the access token expires, and makes the page refresh. */
  async function refresh(page: Page): Promise<void> {
    const before = await tokenFrom(page);
    const until = await page.locator('#token-until').getAttribute('datetime');
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(until ?? ''));
    await page.getByRole('button', { name: 'Ask the server again' }).click();
    await expect.poll(() => tokenFrom(page)).not.toBe(before);
  }

  it('signs in with the old password, once the email is verified', () =>
    visit(async (page) => {
      await expectFits(page);
      await signIn(page, 'barbara@example.com', 'another');
      await page.getByText('The email or the password is wrong.').waitFor();
      await signIn(page, 'barbara@example.com');
      await page.waitForURL('**/auth/verify-email');
      await page.getByText('We have sent you a mail.').waitFor();
      await expectFits(page);
      await page.getByRole('navigation').getByRole('link', { name: 'Mails' }).click();
      await page.getByText('to barbara@example.com').first().waitFor();
      await expectFits(page);
      await page.getByRole('link', { name: 'Verify this email' }).first().click();
      await page.getByRole('button', { name: 'Verify my email' }).click();
      await expectAccount(page, 'shop-3');
      await page.getByRole('link', { name: 'Orders' }).click();
      await page.getByText('Only admins may see this.').waitFor();
    }));

  it('refreshes by itself, and ends a session whose old refresh token comes again', () =>
    visit(async (page) => {
      await signIn(page, 'ada@example.com');
      await expectAccount(page, 'shop-1');
      const thief = new WebClient(app.url);
      for (const { name, value } of await page.context().cookies(`${app.url}/auth/session/refresh`))
        thief.cookies.set(name, value);
      await refresh(page);
      await page.getByRole('link', { name: 'Orders' }).click();
      await page.getByText('No. 1001').waitFor();
      await expectFits(page);
      expect((await thief.send('POST', '/auth/session/refresh')).text).toContain('token theft detected');
      await page.reload();
      await page.waitForURL('**/sign-in');
      await page.getByRole('link', { name: 'Mails' }).click();
      await page.getByText('You were signed out').waitFor();
    }));

  it('signs out', () =>
    visit(async (page) => {
      await signIn(page, 'ada@example.com');
      await expectAccount(page, 'shop-1');
      await page.goto(`${app.url}/sign-in`);
      await expectAccount(page, 'shop-1');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL('**/sign-in');
      const cookies = await page.context().cookies(`${app.url}/auth/session/refresh`);
      expect(cookies.filter(({ httpOnly }) => httpOnly)).toEqual([]);
      await page.goto(`${app.url}/admin`);
      await page.waitForURL('**/sign-in');
    }));

  it('asks for the code of a device of the export', () =>
    visit(async (page) => {
      await signIn(page, 'grace@example.com');
      await page.waitForURL('**/code');
      await expectFits(page);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL('**/sign-in');
      await signIn(page, 'grace@example.com');
      await page.waitForURL('**/code');
      await page.goto(app.url);
      await page.waitForURL('**/code');
      const phone = await page.context().newPage();
      await phone.goto(`${app.url}/stand-ins/phone`);
      const code = (await phone.getByRole('status').textContent()) ?? '';
      await expectFits(phone);
      await page.getByLabel('Code of your phone').fill(code === '000000' ? '111111' : '000000');
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByText('This code is wrong, or was used before.').waitFor();
      await page.getByLabel('Code of your phone').fill(code);
      await page.getByRole('button', { name: 'Go on' }).click();
      await expectAccount(page, 'shop-2');
    }));

  it('finds a social user of the import again', () =>
    visit(async (page) => {
      await page.getByRole('button', { name: 'Continue with Example ID' }).click();
      await page.getByRole('button', { name: 'Donald Knuth' }).click();
      await expectAccount(page, 'shop-4');
    }));
});
