import { describe, expect, test } from 'vitest';
import { Refusal, type RefusalCode, refusals } from '../../src/domain/errors.ts';
import { explained, failureOf, isRefusedConnection } from '../../src/database/sqlstate.ts';

const errorOf = (code: string) => Object.assign(new Error('said by a driver or a server'), { code });

describe('an error of the database', () => {
  test.each([
    ['ECONNREFUSED', 'unavailable', false],
    ['57P03', 'unavailable', false],
    ['28P01', 'unavailable', true],
    ['28000', 'unavailable', true],
    ['3D000', 'unavailable', true],
    ['CERT_HAS_EXPIRED', 'unavailable', true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unavailable', true],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unavailable', true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'unavailable', true],
    // In the handshake a refusal, afterwards a broken connection: at the start the former is assumed, later the latter.
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'unknown', true],
    ['CONNECTION_CLOSED', 'unknown', false],
    ['08006', 'unknown', false],
    ['08P01', 'other', false],
    ['40P01', 'conflict', false],
    ['23505', 'data', false],
    ['42P01', 'other', false],
    ['ERR_INVALID_ARG_TYPE', 'other', false],
  ] as const)('%s is %s; a refused connection: %s', (code, failure, isRefused) => {
    expect([failureOf(errorOf(code)), isRefusedConnection(errorOf(code))]).toEqual([failure, isRefused]);
  });

  /** A transaction may throw one: it is answered unchanged, and none of our codes is mistaken for one of a connection. */
  test.each(Object.keys(refusals) as RefusalCode[])('is not what a refusal %s is', (code) => {
    const refusal = new Refusal(code);
    expect([explained(refusal, true), explained(refusal, false)]).toEqual([refusal, refusal]);
    expect([failureOf(refusal), failureOf(errorOf(code))]).toEqual(['other', 'other']);
  });

  test('is reported to writers as an unknown outcome, and to readers as an outage', () => {
    const lost = errorOf('CONNECTION_CLOSED');
    expect([explained(lost, true), explained(lost, false)]).toEqual([
      new Refusal('OUTCOME_UNKNOWN'),
      new Refusal('DATABASE_UNAVAILABLE'),
    ]);
    const fault = errorOf('42P01');
    expect(explained(fault, true)).toBe(fault);
  });
});
