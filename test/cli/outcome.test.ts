/** The outcome for the users of a file, in the five places where the command shows it. */
import { describe, expect, it } from 'vitest';
import { classesOf, describeOutcome, type Outcome } from '../../src/cli/output/outcome.ts';
import { RejectLog } from '../../src/cli/output/reject-log.ts';

const nobody: Outcome = {
  byState: {},
  byFactor: {},
  secondFactor: 'refuse',
  oddDates: 0,
  notImported: 0,
  groups: [],
  unit: 'record',
};

describe('the classes of an outcome', () => {
  it('stand one below the other, each with its reasons, the most frequent first', () => {
    const outcome = {
      ...nobody,
      byState: { canSignIn: 42_369, disabled: 5, secondFactor: 12, requiredAction: 1 },
      canSignInBy: { password: 42_000, code: 300, provider: 60, reset: 9 },
      byFactor: { totp: 10, sms: 2 },
      oddDates: 3,
      notImported: 7,
    };
    expect(describeOutcome(outcome)).toEqual([
      '  42,369 can sign in today',
      '    42,000 with the old password, by the format of their hashes',
      '    300 by a code or link that your app sends (imported without a password)',
      '    60 at a provider',
      '    9 after they set a new password',
      '  18 restricted: imported, and cannot sign in yet',
      '    12 second factor',
      '    5 disabled at the source',
      '    1 required action at the source, such as a new password',
      '  7 not imported',
      '  5 imported with something lost',
      expect.stringMatching(/^ {4}3 odd join dates/) as string,
      '    2 their second factor (sms): the core has none of this kind',
    ]);
    expect(classesOf(outcome)).toEqual({
      canSignIn: 42_369,
      canSignInBy: outcome.canSignInBy,
      restricted: 18,
      notImported: 7,
      removedHere: 0,
      withLoss: 5,
    });
  });

  it('name every second factor as lost where it is dropped', () => {
    const lines = describeOutcome({ ...nobody, byFactor: { totp: 4 }, secondFactor: 'drop' });
    expect(lines).toContain('    4 their second factor (totp): as --second-factor drop asks');
  });

  it('leave out what an older core does not count', () => {
    expect(describeOutcome({ ...nobody, byState: undefined })).toEqual(['  0 not imported']);
  });
});

describe('rejects', () => {
  const reject = (line: number, message: string, field = ''): Parameters<RejectLog['add']>[0][number] => ({
    line,
    code: 'NOT_IMPORTABLE',
    field,
    message,
  });

  it('are grouped by what is wrong and not by their code', async () => {
    const log = new RejectLog(undefined);
    for (let line = 1; line <= 5; line++) await log.add([reject(line, 'anonymous')]);
    await log.add([reject(6, 'no email', 'email')]);
    expect(log.byCode).toEqual({ NOT_IMPORTABLE: 6 });
    expect(describeOutcome({ ...nobody, notImported: 6, groups: log.groups })).toEqual([
      '  0 can sign in today',
      '  0 restricted: imported, and cannot sign in yet',
      '  6 not imported',
      '    5 anonymous (NOT_IMPORTABLE)',
      '      record 1, record 2, record 3 and 2 more records',
      '    1 no email (NOT_IMPORTABLE)',
      '      record 6 at email',
    ]);
  });

  it('name the other side: the user or the earlier record that has the key', async () => {
    const log = new RejectLog(undefined);
    await log.add([{ ...reject(7, 'taken', 'email'), otherUserId: 'legacy-4' }]);
    await log.add([{ ...reject(9, 'twice', 'email'), otherLine: 3 }]);
    const lines = describeOutcome({ ...nobody, groups: log.groups, showSamples: true });
    expect(lines).toContain('      record 7 at email (user legacy-4 has it)');
    const masked = describeOutcome({ ...nobody, groups: log.groups });
    expect(masked).toContain('      record 7 at email (user le…-4 has it)');
    expect(lines).toContain('      record 9 at email (as record 3)');
  });

  it('count users who were removed here in a class of their own', async () => {
    const log = new RejectLog(undefined);
    await log.add([{ ...reject(1, 'removed', ''), code: 'REMOVED_HERE' }, reject(2, 'no email', 'email')]);
    const outcome = { ...nobody, notImported: 2, groups: log.groups };
    expect(classesOf(outcome)).toMatchObject({ notImported: 1, removedHere: 1 });
    expect(describeOutcome(outcome)).toEqual([
      '  0 can sign in today',
      '  0 restricted: imported, and cannot sign in yet',
      '  1 not imported',
      '    1 no email (NOT_IMPORTABLE)',
      '      record 2 at email',
      '  1 left out: removed here since they were imported (--restore-removed brings them back)',
    ]);
  });

  it('have a bounded number of groups, whatever a core says', async () => {
    const log = new RejectLog(undefined);
    for (let line = 1; line <= 1000; line++) await log.add([reject(line, `number ${line}`)]);
    expect(log.groups.length).toBeLessThan(300);
    expect(log.groups[0]).toMatchObject({ message: 'for other reasons', count: 800 });
    expect(log.byCode).toEqual({ NOT_IMPORTABLE: 1000 });
  });
});
