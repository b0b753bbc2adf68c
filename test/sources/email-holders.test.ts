/** Users who are new in the old system are looked up by their emails: a page of them at once, and by an index where there is one. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hashMark } from '../../src/domain/digests.ts';
import { requireDatabaseProvider } from '../../src/exports/providers/index.ts';
import type { Statement, WritingEngine } from '../../src/exports/sources/engines/engine.ts';
import { openToWrite } from '../../src/exports/sources/open.ts';
import { openUserTable, type UserTable } from '../../src/exports/sources/written/table.ts';
import { type Outcome, type UserChange, writeUsers } from '../../src/exports/sources/written/write-user.ts';
import { type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { openWritten, writableEngines, type WrittenDatabase } from '../helpers/write-back.ts';

const hash = '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';
const today = Date.UTC(2026, 0, 1);
const newUser = (email: string): UserChange => ({
  now: { email, isVerified: false, passwordHash: hash, metadata: {}, timeJoined: today },
  was: [],
  key: undefined,
});
const imported = (key: string, email: string, before = email): UserChange => ({
  ...newUser(email),
  was: [{ externalId: key, email: before, isVerified: true, passwordMark: hashMark(hash) }],
  key,
});

describe.each(writableEngines)('in %s', (server) => {
  let mariadb: Mariadb | undefined;
  let old: WrittenDatabase;
  let writing: WritingEngine;
  const statements: Statement[] = [];
  beforeAll(async () => {
    if (server === 'MariaDB') mariadb = await startMariadb();
  });
  afterAll(() => mariadb?.stop());
  afterEach(async () => {
    await writing.close();
    await old.drop();
  });

  /** With every statement that reads rows noted. */
  async function opened(system: string, more?: string): Promise<UserTable> {
    old = await openWritten(system, mariadb);
    if (more !== undefined) await old.run(more);
    const provider = requireDatabaseProvider(system);
    writing = await openToWrite(provider, { text: old.address, password: undefined });
    statements.length = 0;
    const engine = writing;
    const noting: WritingEngine = {
      ...{ name: engine.name, dialect: engine.dialect, schema: engine.schema },
      rows(statement) {
        statements.push(statement);
        return engine.rows(statement);
      },
      columns: (tables) => engine.columns(tables),
      change: (statement) => engine.change(statement),
      close: () => engine.close(),
    };
    const naming = { schema: undefined, prefix: '', usersTable: undefined };
    return openUserTable(provider, noting, { naming, realm: undefined });
  }
  async function written(table: UserTable, changes: readonly UserChange[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for await (const { outcome } of writeUsers(table, changes, { now: today })) outcomes.push(outcome);
    return outcomes;
  }
  const withoutIndex = () => statements.filter(({ text }) => text.includes('lower('));
  const asWritten = () => statements.filter(({ text }) => /[`"]email[`"] in \(/.test(text));

  const many = mariadb === undefined ? 5000 : 500;
  const rowsOfLaravel = Array.from(
    { length: many },
    (_, n) => `(${1000 + n}, 'u', 'U${n}@Example.com', '${hash}')`,
  );
  const laravelRows = `insert into users (id, name, email, password) values ${rowsOfLaravel.join(', ')};`;
  const taken = "update users set email = 'Taken@Example.com', password = '!' where id = 1000;";

  it('a page of new users takes one look by the index, and at most one without regard to case', async () => {
    const sequence = server === 'MariaDB' ? '' : "select setval('users_id_seq', 100000); analyze users;";
    const table = await opened('laravel', laravelRows + taken + sequence);
    const users = Array.from({ length: 40 }, (_, n) => newUser(`new${n}@example.com`));
    const outcomes = await written(table, [
      ...users,
      newUser('taken@example.com'),
      newUser('ada@example.com'),
    ]);
    expect(outcomes.slice(-2)).toEqual([{ conflict: 'EMAIL_TAKEN' }, expect.objectContaining({ key: '42' })]);
    expect(outcomes.filter(({ key }) => key !== undefined)).toHaveLength(41);
    // MariaDB's own collation ignores case.
    expect([asWritten().length, withoutIndex().length]).toEqual([1, server === 'MariaDB' ? 0 : 1]);
    const [{ text, parameters } = { text: '', parameters: [] }] = asWritten();
    const literal = parameters.map((each) => `'${String(each)}'`);
    const filled = text.replace(/\$(\d+)|\?/g, (_, place?: string) => literal[Number(place ?? 1) - 1] ?? '');
    const plan = JSON.stringify(await old.rows(`explain ${filled}`));
    expect(plan).toMatch(server === 'MariaDB' ? /"key":"email"/ : /Index (?:Only )?Scan/);
    expect(plan).not.toContain('Seq Scan');
  });

  it('users whose rows are known are not looked up by their emails', async () => {
    const table = await opened('laravel');
    const outcomes = await written(table, [
      imported('42', 'ada@example.com'),
      imported('43', 'new@example.com', 'deleted@example.com'),
    ]);
    expect(outcomes.map(({ key }) => key)[0]).toBe('42');
    expect([asWritten(), withoutIndex()]).toEqual([[], []]);
  });

  it('emails of Django, which may be several users’, are looked up where they change', async () => {
    const table = await opened('django');
    const outcomes = await written(table, [
      imported('42', 'moved@example.com', 'ada@example.com'),
      // That of the row before is free by now, and its new one is not.
      imported('43', 'ada@example.com', 'inactive@example.com'),
      imported('44', 'Moved@example.com', ''),
    ]);
    expect(outcomes).toEqual([
      expect.objectContaining({ key: '42' }),
      expect.objectContaining({ key: '43' }),
      { conflict: 'EMAIL_TAKEN' },
    ]);
    expect([asWritten().length, withoutIndex().length]).toEqual([2, server === 'MariaDB' ? 1 : 2]);
  });
});
