/**
 * Prose is plain English: comments, pages and messages use the nouns of the field. Each word here has been written for "a user", "the
 * client" or "the record", or is out of use; the right column says what to write. See CONTRIBUTING.md.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const instead: readonly (readonly [RegExp, string])[] = [
  [/\b(?:no|some|any|every)body\b/i, 'a user, no client, the caller'],
  [/\b(?:who|whom|whose)ever\b|\bwhom\b/i, 'users who …, the client that …'],
  [/^Who (?!are|builds|can|did|does|has|holds|is|may|owns|will)/, 'users who …, the client that …'],
  [/\b(?:is|are) none\b/i, 'is not a …, is invalid, does not exist'],
  [/\b(?:told|tells)\b/i, 'reports, shows, distinguishes, states'],
  [/\bheld against\b/i, 'checked against, compared with'],
  [/\bbeside\b/i, 'next to; in addition to; during'],
  [/\bone by one\b/i, 'individually, one at a time'],
  [/\b(?:seldom|dearest)\b/i, 'rarely; most expensive'],
  [/\bat the most\b/i, 'at most'],
  [/\bwhat becomes of\b/i, 'the outcome of'],
  [/\banew\b/i, 'again'],
  [/\bof one's own\b/i, 'custom'],
];

/** On pages for readers only: in a comment of the code some of these are exact. */
const insteadOnPages: readonly (readonly [RegExp, string])[] = [
  [/\b(?:comes?|came) along\b/i, 'is imported, is included'],
  [/\b(?:comes?|came) over\b/i, 'is imported'],
  [/\b(?:go|goes|went) again\b/i, 'retries, is repeated'],
  [/\b(?:go|goes|went) on (?!the|to|a)/i, 'continues'],
  [/\b(?:stands|stood|may stand|lies) (?:in|beside|behind)\b/i, 'is in, is after'],
  [/\b(?:lets|let) (?:all of them |it |the user )?in\b/i, 'accepts, enables, authorises'],
  [
    /\b(?:is|are) no (?:email|fault|longer one|number|superuser|text|valid|login|answer|import)/i,
    'is not a …',
  ],
  [/\bby (?:itself|themselves|turns)\b/i, 'automatically, alone, in turn'],
  [/\b(?:kept|keeps?) (?:the user|users|them|him|her)? ?out\b/i, 'restricts, disables'],
  [/\bsays so\b/i, 'reports it, names the reason'],
  [/\bwhat became of\b/i, 'the outcome of'],
  [/\bbrings? (?:them|it|along|back)\b/i, 'imports, restores'],
  [/\bso many\b/i, 'this number of'],
];

interface Line {
  readonly at: string;
  readonly text: string;
}

/** Names in backticks are code; so is what stands between fences. */
function prose(text: string): string {
  return text.replaceAll(/`[^`]*`/g, '`…`');
}

function commentsOf(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, n) => {
      const comment = /^\s*(?:\/\*\*|\*|\/\/)\s+(.*)$/.exec(line)?.[1] ?? /\s\/\/ (.*)$/.exec(line)?.[1];
      return comment === undefined ? [] : [{ at: `${file}:${n + 1}`, text: comment }];
    });
}

/** Of tests and groups; a title begins and ends on the line of its call. */
function titlesOf(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, n) => {
      const title = /(?:\b(?:it|test|describe)|^\s*[\])}]+)(?:\.\w+)?(?:\(.*\))?\((['"`])(.*?)\1, /.exec(
        line,
      )?.[2];
      return title === undefined ? [] : [{ at: `${file}:${n + 1}`, text: prose(title) }];
    });
}

function sentencesOf(page: string): Line[] {
  let isCode = false;
  return readFileSync(page, 'utf8')
    .replaceAll(/<!-- facts: [\s\S]*?<!-- \/facts -->/g, (block) => block.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .flatMap((line, n) => {
      if (line.trimStart().startsWith('```')) isCode = !isCode;
      return isCode ? [] : [{ at: `${page}:${n + 1}`, text: prose(line).replace(/^[\s#>*-]+/, '') }];
    });
}

function tracked(...patterns: readonly string[]): string[] {
  return execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

function faultsOf(lines: readonly Line[], words = instead): string[] {
  return lines.flatMap(({ at, text }) =>
    words.flatMap(([word, better]) => (word.test(text) ? [`${at}: ${text}: ${better}`] : [])),
  );
}

const namedFile = /(?<![\w/.-])(?:[a-z0-9-]+\/)*[a-z0-9-]+\.(?:tsx?|sql)\b/g;
/** Of the repositories of other projects. */
const isOfOthers = (name: string): boolean => name.startsWith('packages/');

test('comments are in plain English', () => {
  const comments = tracked('*.ts').flatMap(commentsOf);
  expect(faultsOf(comments.map(({ at, text }) => ({ at, text: prose(text) })))).toEqual([]);
});

test('files that comments name are there', () => {
  const files = tracked();
  const isThere = (name: string): boolean => files.some((file) => `/${file}`.endsWith(`/${name}`));
  const named = tracked('*.ts', '*.tsx').flatMap((file) =>
    commentsOf(file).flatMap(({ at, text }) =>
      Array.from(text.matchAll(namedFile), ([name]) => ({ at, name })).filter(
        ({ name }) => !isOfOthers(name),
      ),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
});

test('titles of tests are in plain English', () => {
  expect(faultsOf(tracked('test/*.ts').flatMap(titlesOf))).toEqual([]);
});

/** Generated pages have the words of the code, and so have blocks of others. */
const isWritten = (page: string): boolean =>
  !/^docs\/measured|^docs\/reference\/(?:columns|errors|http|settings)/.test(page);

test('pages are in plain English', () => {
  // What profiles measured stays as it was written.
  const pages = tracked('*.md').filter((page) => page !== 'bench/PROFILE.md');
  expect(faultsOf(pages.flatMap(sentencesOf))).toEqual([]);
  expect(faultsOf(pages.filter(isWritten).flatMap(sentencesOf), insteadOnPages)).toEqual([]);
});
