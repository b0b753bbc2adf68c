/** Inputs of statements: their text, and their parameters. */
import { describe, expect, it } from 'vitest';
import { inputColumns, singleInputs } from '../../src/store/batch/columns.ts';

interface Item {
  readonly app: number;
  readonly email?: string;
  readonly hash: string;
}

describe('columns of a batch', () => {
  const columns = inputColumns<Item>(
    {
      app_no: ['int', ({ app }) => app],
      email: ['text', ({ email }) => email],
      token_hash: ['digits', ({ hash }) => hash],
    },
    2,
  );

  it('are named in the order of their parameters, from the first one on', () => {
    expect(columns.numberedAs('i').replaceAll(/\s+/g, ' ')).toBe(
      'unnest($2::int[], $3::text[], $4::text[]) with ordinality as i (app_no, email, token_hash, n)',
    );
    expect(columns.as('i')).toBe(
      'unnest($2::int[], $3::text[], $4::text[]) as i (app_no, email, token_hash)',
    );
  });

  it('give one array for each, quoted where its type needs it', () => {
    const items = [
      { app: 1, email: 'a"b', hash: '0f' },
      { app: 2, hash: 'f0' },
    ];
    expect(columns.parameters(items)).toEqual(['{1,2}', '{"a\\"b",NULL}', '{0f,f0}']);
    expect(columns.parameters([])).toEqual(['{}', '{}', '{}']);
  });
});

describe('single inputs', () => {
  const input = singleInputs<Item>()({
    app: ['int', ({ app }) => app],
    email: ['text', ({ email }) => email],
  });

  it('are numbered from 1, and their parameters come in that order', () => {
    expect(input.$).toEqual({ app: '$1::int', email: '$2::text' });
    expect(input.parameters({ app: 7, hash: '' })).toEqual([7, null]);
  });
});
