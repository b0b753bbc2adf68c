import { expect, it } from 'vitest';
import { mysqlDialect } from '../../src/exports/sources/engines/mysql.ts';
import { postgresDialect } from '../../src/exports/sources/engines/postgres.ts';
import { countOf, type FoundTable, pageOf, rowsOf } from '../../src/exports/sources/statements.ts';

const users: FoundTable = {
  name: 'users',
  schema: 'auth',
  table: 'users',
  key: 'id',
  hasIntegerKey: false,
  takes: { id: 'id', emailVerified: 'email_verified' },
  joins: [],
};

it('asks for users behind a key, in the order of their keys', () => {
  const row =
    'select t."id" as "_key", t."id" as "id", t."email_verified" as "emailVerified" from "auth"."users" t';
  const keyed = (text: string) =>
    `select "row"."_key"::text as "key", row_to_json("row")::text as "json" from (${text}) "row" order by "row"."_key"`;
  expect(pageOf(users, postgresDialect, undefined, 1000)).toEqual({
    text: keyed(`${row} order by t."id" limit 1000`),
    parameters: [],
  });
  expect(pageOf(users, postgresDialect, "o'hara", 10)).toEqual({
    text: keyed(`${row} where t."id" > $1 order by t."id" limit 10`),
    parameters: ["o'hara"],
  });
});

it('compares a whole number with a whole number: MySQL would make floats of both', () => {
  const table = { ...users, hasIntegerKey: true };
  expect(pageOf(table, mysqlDialect, '9007199254740993', 5)).toEqual({
    text: 'select t.`id` as `_key`, t.`id` as `id`, t.`email_verified` as `emailVerified` from `auth`.`users` t where t.`id` > ? order by t.`id` limit 5',
    parameters: [9007199254740993n],
  });
});

it('asks for what belongs to a page of users at once, of one realm only', () => {
  const roles: FoundTable = {
    ...users,
    table: 'user_roles',
    key: 'user_id',
    takes: {},
    joins: [{ table: 'roles', column: 'id', with: 'role_id', takes: { role: 'name' } }],
    realm: { column: 'realm_id', value: 'r1' },
    only: { column: 'kind', values: ['a', 'b'] },
    same: ['x', 'y'],
  };
  expect(rowsOf(roles, mysqlDialect, ['1', '2'])).toEqual({
    text: 'select t.`user_id` as `_key`, j0.`name` as `role` from `auth`.`user_roles` t left join `auth`.`roles` j0 on j0.`id` = t.`role_id` where t.`realm_id` = ? and t.`kind` in (?, ?) and t.`x` = t.`y` and t.`user_id` in (?, ?)',
    parameters: ['r1', 'a', 'b', '1', '2'],
  });
  expect(countOf(roles, mysqlDialect).parameters).toEqual(['r1', 'a', 'b']);
});

it('lets no name of a table end its quotes', () => {
  const hostile = { ...users, table: 'u"`; drop', takes: {} };
  expect(pageOf(hostile, postgresDialect, undefined, 1).text).toContain('from "auth"."u""`; drop" t');
  expect(pageOf(hostile, mysqlDialect, undefined, 1).text).toContain('from `auth`.`u"``; drop` t');
});
