import { describe, expect, test } from 'vitest';
import { createLogger, lossyOutput } from '../../src/process/log.ts';
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

describe('a log that cannot be written', () => {
  const fault = (code: string): Error => Object.assign(new Error(code), { code });

  test.each(['ENOSPC', 'EIO', 'EPIPE'])('for %s loses lines, says how many, and throws nothing', (code) => {
    const written: string[] = [];
    let room = 3;
    const log = createLogger({
      level: 'info',
      stream: lossyOutput((text) => {
        const taken = text.subarray(0, room);
        room -= taken.length;
        if (taken.length === 0) throw fault(code);
        written.push(taken.toString());
        return taken.length;
      }),
    });
    for (const line of ['one', 'two', 'three']) log.info(line);
    room = Infinity;
    log.info('four');
    log.info('five');
    const [torn, ...lines] = written.join('').trimEnd().split('\n');
    expect(torn).toBe('{"l');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', lost: 3, msg: 'lines of this log were lost' },
      { msg: 'four' },
      { msg: 'five' },
    ]);
  });

  test('for a moment loses nothing', () => {
    const written: string[] = [];
    let isBusy = true;
    const output = lossyOutput((text) => {
      isBusy = !isBusy;
      if (!isBusy) throw fault('EAGAIN');
      written.push(text.toString());
      return text.length;
    });
    output.write('one\n');
    output.write('two\n');
    expect(written).toEqual(['one\n', 'two\n']);
  });
});
