/** Every command of README and docs/ is run as a reader would, or states why not. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fence, fencesOf } from '../../site/markdown.ts';
import { readPage, readPages } from '../../site/pages.ts';
import { type Desk, openDesk } from '../helpers/command-desk.ts';
import type { TestCore } from '../helpers/core.ts';
import { appOf, type Outcome, type Reader, startReader, startReadersCore } from '../helpers/reader.ts';

const sample = (name: string): { path: string } => ({
  path: fileURLToPath(new URL(`../exports/files/${name}`, import.meta.url)),
});
const known = (email: string): string => `email,password\n${email},correct horse battery staple\n`;

const stytchUser = {
  user_id: 'user-live-7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
  emails: [{ email_id: 'email-1', email: 'ada@example.com', verified: true }],
  status: 'active',
  created_at: '2024-01-01T00:00:00Z',
};

/** The files that the reader of a page has from the source, by the page's name for them. */
const sources: Readonly<Record<string, Readonly<Record<string, { path: string } | string>>>> = {
  'aspnet-identity': { 'users.csv': sample('aspnet-identity.csv') },
  auth0: { 'users.ndjson': sample('auth0-users.ndjson'), 'hashes.ndjson': sample('auth0-hashes.ndjson') },
  authjs: { 'users.json': sample('authjs.json') },
  'azure-b2c': { 'users.json': sample('azure-b2c.json') },
  'better-auth': { 'users.json': sample('better-auth.json') },
  clerk: { 'users.csv': sample('clerk.csv') },
  cognito: { 'users.json': sample('cognito.json') },
  devise: { 'users.csv': sample('devise.csv') },
  django: { 'users.json': sample('django.json') },
  firebase: { 'users.json': sample('firebase.json') },
  fusionauth: { 'users.json': sample('fusionauth.json') },
  hanko: { 'users.json': sample('hanko.json') },
  keycloak: { 'shop-realm.json': sample('keycloak-users-0.json') },
  kratos: { 'identities.json': sample('kratos.json') },
  laravel: { 'users.csv': sample('laravel.csv') },
  logto: { 'users.json': sample('logto.json') },
  native: {
    'known.csv': known('grace@example.org'),
    'users.ndjson': { path: fileURLToPath(new URL('../../examples/export.ndjson', import.meta.url)) },
  },
  okta: { 'users.json': sample('okta.json') },
  spring: { 'users.csv': sample('spring.csv') },
  stytch: {
    'users.json': JSON.stringify({ results: [stytchUser] }),
    'hashes.csv': sample('stytch-hashes.csv'),
  },
  supabase: {
    'users.csv': sample('supabase-users.csv'),
    'identities.csv': sample('supabase-identities.csv'),
  },
  supertokens: { 'users.json': sample('supertokens.json') },
  wordpress: { 'users.csv': sample('wordpress.csv') },
  workos: { 'users.csv': sample('workos.csv') },
};

/** The files of a page, and the later export of a source. */
function filesOf(file: string): Parameters<typeof startReader>[0]['files'] {
  const files = sources[/^docs\/from\/(.+)\.md$/.exec(file)?.[1] ?? ''] ?? {};
  const later = Object.entries(files).map(([name, content]) => [`later-${name}`, content] as const);
  return { 'known.csv': known('ada@example.com'), ...files, ...Object.fromEntries(later) };
}

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'shell', 'console']);
const skill = { file: 'SKILL.md', text: readPage('SKILL.md') };
const pages = [...readPages(), skill].map(({ file, text }) => ({ file, fences: fencesOf(text) }));

it.each(pages)('says of each command in $file whether it is run, and else why not', ({ fences }) => {
  const shown = fences.filter(({ language }) => shells.has(language));
  const unmarked = shown.filter(({ info }) => !/^(run( [A-Z_]+)?|no-run: \S.+)$/.test(info));
  expect(unmarked.map(({ line, text }) => `${line}: ${text}`)).toEqual([]);
});

// After a fence of backticks a backtick makes it a line of text, and everything until the next fence with it.
it('walks an agent through every step of a move in SKILL.md', () => {
  const run = fencesOf(skill.text).filter(({ info }) => info === 'run');
  const commands = run.flatMap(({ text }) =>
    [...text.matchAll(/carryover ([a-z]+)/g)].map(([, name]) => name),
  );
  expect([...new Set(commands)]).toEqual([
    'inspect',
    'doctor',
    'import',
    'jobs',
    'status',
    'absent',
    'conflicts',
    'hashes',
    'undo',
  ]);
  expect(skill.text.match(/\*\*Stop/g)?.length).toBeGreaterThan(8);
});

it('opens each block with a fence that Markdown takes for one', () => {
  const odd = readPages().flatMap(({ file, text }) =>
    [...text.matchAll(/^ *```[^`\n]*`.*$/gm)].map(([line]) => `${file}: ${line}`),
  );
  expect(odd).toEqual([]);
});

const isRun = ({ language, info }: Fence): boolean => shells.has(language) && /^run\b/.test(info);

/** A displayed answer as a pattern: `…` stands for anything, and any blanks match. */
function pattern(shown: string): RegExp {
  const parts = shown.trim().split('…');
  const literal = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(
    literal.map((part) => part.replaceAll(/\s+/g, String.raw`\s+`)).join(String.raw`[\s\S]*?`),
  );
}

/**
 * Pages that a newcomer reads first are run with real processes. For the others a process for each command would only take
 * longer.
 */
const runsProcesses: ReadonlySet<string> = new Set(['README.md', 'docs/start.md', 'docs/guide/cutover.md']);

let shared: TestCore;
let desk: Desk;
beforeAll(async () => {
  [shared, desk] = await Promise.all([startReadersCore(), openDesk()]);
});
afterAll(() => Promise.all([shared.stop(), desk.stop()]));

/** A page with requests of its own may configure its core; for all others an app is equivalent. */
function coreFor(file: string, commands: readonly Fence[]): ReturnType<typeof appOf> {
  if (commands.some(({ text }) => text.includes('curl '))) return startReadersCore();
  return appOf(shared, file.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
}

describe.each(pages.filter(({ fences }) => fences.some(isRun)))('$file', ({ file, fences }) => {
  const commands = fences.filter(isRun);
  let reader: Reader;
  let outcome: Outcome;
  beforeAll(async () => {
    const core = await coreFor(file, commands);
    const given = runsProcesses.has(file) ? undefined : desk;
    reader = await startReader({ core, files: filesOf(file), desk: given });
    outcome = await reader.run(commands);
  });
  afterAll(() => reader.stop());

  it('has commands that work, each in its turn', () => {
    const { code, printed, stderr } = outcome;
    const last = commands[printed.length - 1]?.text ?? '';
    expect(code, `${last}\n${printed.at(-1) ?? ''}${stderr}`).toBe(0);
  });

  it('gets no other refusals than those that it names', () => {
    const unnamed = commands.flatMap(({ info }, place) => {
      const words = [...(outcome.printed[place] ?? '').matchAll(/"status":"([A-Z_]+)"/g)];
      return words.flatMap(([, word]) => (word === 'OK' || info === `run ${word}` ? [] : [word]));
    });
    expect(unnamed).toEqual([]);
  });

  const shown = fences.flatMap((fence, place) => {
    const before = fences[place - 1];
    const isShown = fence.info === 'printed' && before !== undefined && isRun(before);
    return isShown ? [{ line: fence.line, text: fence.text, of: commands.indexOf(before) }] : [];
  });
  if (shown.length > 0)
    it('prints what it shows', () => {
      for (const { text, of } of shown) expect(outcome.printed[of]).toMatch(pattern(text));
    });
});
