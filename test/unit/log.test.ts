import { describe, expect, test } from 'vitest';
import { createLogger } from '../../src/process/log.ts';
import type { LogLevel } from '../../src/config/load.ts';

function capture(level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = createLogger({ level, stream: { write: (line) => void lines.push(line) } });
  return { log, lines, first: () => JSON.parse(lines[0] ?? '{}') as Record<string, unknown> };
}

describe('the log', () => {
  test('is one JSON object a line with an ISO time and nothing about the host', () => {
    const { log, lines, first } = capture();
    log.info({ port: 3567 }, 'listening');
    expect(lines).toHaveLength(1);
    expect(first()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      port: 3567,
      msg: 'listening',
    });
  });

  test('is empty when silent, and below its level', () => {
    const silent = capture('silent');
    silent.log.fatal('x');
    const warn = capture('warn');
    warn.log.info('x');
    expect([silent.lines, warn.lines]).toEqual([[], []]);
  });
});

describe('secrets', () => {
  test.each([
    'password',
    'passwordHash',
    'password_hash',
    'plainTextPassword',
    'token',
    'apiKey',
    'api-key',
    'authorization',
    'signerKey',
    'provider_password_hashing_signer_key',
    'firebase_password_hashing_signer_key',
    'pepper',
    'bcrypt_pepper',
    'secretKey',
    'postgresqlConnectionUri',
  ])('%s never appears, at the top or below it', (field) => {
    const { log, lines } = capture();
    log.info({ [field]: 'hunter2', body: { [field]: 'hunter2', user: { [field]: 'hunter2' } } }, 'request');
    log.child({ headers: { [field]: 'hunter2' } }).info('child');
    expect(lines.join('')).not.toContain('hunter2');
    expect(lines.join('')).toContain('***');
  });
});

describe('errors', () => {
  /** In the shape that postgres.js throws. */
  function sqlError(): Error {
    return Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
      code: '23505',
      query: 'insert into users values ($1)',
      parameters: ['ada@example.org', '$2b$10$secret'],
      args: ['ada@example.org'],
      detail: 'Key (email)=(ada@example.org) already exists.',
      where: 'COPY staging, line 1: "ada@example.org"',
    });
  }

  test('of SQL keep the code and the statement, and lose every value', () => {
    const { log, lines, first } = capture();
    log.error({ err: sqlError() }, 'write failed');
    expect(first().err).toMatchObject({ code: '23505', query: 'insert into users values ($1)' });
    expect(lines[0]).not.toMatch(/ada@example|secret/);
  });

  test('keep their causes, which are cleaned likewise', () => {
    const { log, lines, first } = capture();
    log.error({ err: new Error('import failed', { cause: sqlError() }) });
    expect(first().err).toMatchObject({ message: 'import failed', cause: { code: '23505' } });
    expect(lines[0]).not.toContain('ada@example');
  });

  test('passed alone or as the only argument are cleaned likewise', () => {
    const { log, lines } = capture();
    log.error(sqlError());
    log.error(sqlError(), 'with text');
    expect(lines.join('')).not.toContain('ada@example');
  });

  test('that are their own cause end', () => {
    const { log, lines } = capture();
    const error = new Error('round');
    error.cause = error;
    log.error({ err: error });
    expect(lines).toHaveLength(1);
  });
});
