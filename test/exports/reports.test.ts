/**
 * Files of the forms that people reported or that scripts write, with made-up users: the proposal for them, the report on them,
 * and who can sign in afterwards. `test/field-cases/reports/cases.json` has the origin of each.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { leftOut, proposeFor } from '../../src/cli/input/custom-table.ts';
import { describeAccount } from '../../src/cli/output/accounting.ts';
import { type Account, addAccount, emptyAccount } from '../../src/exports/fields/account.ts';
import { flagsOf, mapOf, type Proposal } from '../../src/exports/recognise/propose-mapping.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { textOf, useExportFiles } from '../helpers/export-files.ts';
import { isRight } from '../helpers/framework-exports.ts';

interface ReportCase {
  readonly id: string;
  /** The origin of such a file, and its peculiarity. */
  readonly seen: string;
  readonly file: string;
  /** In the form of `--map`. Left out: the proposal for a table of no known system. */
  readonly map?: string;
  readonly options?: Readonly<Record<string, string>>;
  /** In the proposal: regular expressions, and columns that it asks about. */
  readonly proposed?: readonly string[];
  readonly decide?: readonly string[];
  /** In the report. */
  readonly says?: readonly string[];
  readonly saysNot?: readonly string[];
  readonly notes?: readonly string[];
  /** The error that refuses the file. */
  readonly error?: string;
  readonly rejects?: number;
  /** Users who are imported without their password. */
  readonly lost?: number;
  /** Passwords by email, of users who may sign in. */
  readonly signIn?: Readonly<Record<string, string>>;
  readonly keptOut?: readonly string[];
  /** All with a verified email. */
  readonly verified?: readonly string[];
  readonly joined?: Readonly<Record<string, string>>;
}

const folder = fileURLToPath(new URL('../field-cases/reports/', import.meta.url));
const cases = JSON.parse(readFileSync(path.join(folder, 'cases.json'), 'utf8')) as readonly ReportCase[];
const { sourceOf, converted } = useExportFiles();

describe('files of public reports and scripts', () => {
  it.each(cases.map((each) => [`${each.id}: ${each.seen}`, each] as const))('%s', async (_, each) => {
    if (each.error !== undefined) {
      await expect(imported(each)).rejects.toThrow(new RegExp(each.error, 's'));
      return;
    }
    const { users, account, notes, rejects, proposal } = await imported(each);
    expectProposal(each, proposal);
    const report = describeAccount(account, 'record').join('\n');
    for (const text of each.says ?? []) expect(report).toMatch(new RegExp(text));
    for (const text of each.saysNot ?? []) expect(report).not.toMatch(new RegExp(text));
    for (const text of each.notes ?? []) expect(notes.join('\n')).toMatch(new RegExp(text));
    expect(rejects).toHaveLength(each.rejects ?? 0);
    expect(account.passwords.unknown).toBe(each.lost ?? 0);
    expectUsers(each, users);
  });
});

interface Imported {
  readonly users: ReadonlyMap<string, NativeUser>;
  readonly account: Account;
  readonly notes: readonly string[];
  readonly rejects: readonly string[];
  /** undefined for a known format. */
  readonly proposal: Proposal | undefined;
}

async function imported({ file: name, map, options = {} }: ReportCase): Promise<Imported> {
  const file = path.join(folder, name);
  const asked = { reading: map === undefined ? undefined : { names: namesOf(map) } };
  const isKnown = await sourceOf(file, asked).then(
    ({ provider }) => provider.name !== 'native',
    (error: unknown) => {
      if (error instanceof Error && error.message.includes('unrecognised')) return false;
      throw error;
    },
  );
  const proposal = isKnown
    ? undefined
    : await proposeFor({ file, shown: name, reading: undefined }, AbortSignal.timeout(60_000));
  const names = map === undefined && proposal !== undefined ? mapOf(proposal) : asked.reading?.names;
  const from = isKnown ? undefined : 'native';
  const source = await sourceOf(file, { reading: names && { names }, from, options });
  const batches = await converted(source);
  const account = emptyAccount();
  for (const batch of batches) addAccount(account, batch.account, 1);
  const users = textOf(batches)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as NativeUser);
  return {
    users: new Map(users.map((user) => [user.loginMethods[0]?.email ?? '', user])),
    account,
    notes: batches.flatMap((batch) => Object.keys(batch.notes)),
    rejects: batches.flatMap((batch) => batch.rejects.map(({ code }) => code)),
    proposal,
  };
}

function namesOf(map: string): Readonly<Record<string, string>> {
  const pairs = map
    .split(',')
    .map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)]);
  return Object.fromEntries(pairs) as Readonly<Record<string, string>>;
}

function expectProposal({ proposed = [], decide = [] }: ReportCase, proposal: Proposal | undefined): void {
  if (proposal === undefined) {
    expect([...proposed, ...decide]).toEqual([]);
    return;
  }
  const flags = [flagsOf(proposal), ...proposal.constructions].join('\n');
  for (const text of proposed) expect(flags).toMatch(new RegExp(text));
  const lines = leftOut(proposal).join('\n');
  for (const column of decide) expect(lines).toContain(`DECIDE: column ${column} looks`);
}

function expectUsers(each: ReportCase, users: Imported['users']): void {
  const { signIn = {}, keptOut = [], verified } = each;
  for (const [email, password] of Object.entries(signIn)) {
    const user = users.get(email);
    expect([email, user && isRight({ ok: true, user }, password), user?.isDisabled ?? false]).toEqual([
      email,
      true,
      false,
    ]);
  }
  for (const email of keptOut) expect([email, users.get(email)?.isDisabled]).toEqual([email, true]);
  const found = [...users].filter(([, user]) => user.loginMethods[0]?.isVerified === true);
  if (verified !== undefined) expect(found.map(([email]) => email)).toEqual(verified);
  expectTimes(each, users);
}

function expectTimes({ joined = {} }: ReportCase, users: Imported['users']): void {
  for (const [email, time] of Object.entries(joined)) {
    const { timeJoinedInMSSinceEpoch = 0 } = users.get(email)?.loginMethods[0] ?? {};
    expect([email, new Date(timeJoinedInMSSinceEpoch).toISOString()]).toEqual([email, time]);
  }
}
