/** `carryover doctor --totp` in the command. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base32Of, codeAt } from '../../src/hashes/parts/one-time-code.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { inputOf, runHere } from '../helpers/command.ts';

let place: Place;
beforeAll(async () => {
  place = await makePlace();
});
afterAll(() => place.remove());

const time = '2026-01-31T12:00:10Z';
const now = Date.parse(time);

const doctor = (args: readonly string[], input = '') =>
  runHere(['doctor', '--totp', ...args], { folder: place.folder, stdin: inputOf(input), now: () => now });

const key = Buffer.from('a key of twenty byte');
const code = codeAt(key, Math.floor(now / 30_000));

describe('one secret', () => {
  it('that an import reads right needs nothing', async () => {
    const { code: exit, stdout } = await doctor([base32Of(key), '--code', `${code}@${time}`]);
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout:
        'RIGHT: The secret is Base32; SHA1, 6 digits, 30 s: as the record says.\n- There is nothing to set.\n',
    });
  });

  it('that is hexadecimal is reported, from the standard input and without repeating it', async () => {
    const hex = key.toString('hex');
    const { code: exit, stdout, stderr } = await doctor(['-', '--code', code, '--json'], `${hex}\n`);
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'READ_OTHERWISE', reading: { encoding: 'hex' } });
    expect(stdout + stderr).not.toContain(hex);
  });

  it('may be the URL of a QR code', async () => {
    const eight = codeAt(key, Math.floor(now / 60_000), { algorithm: 'SHA256', digits: 8 });
    const url = `otpauth://totp/a:b?secret=${base32Of(key)}&algorithm=SHA256&digits=8&period=60`;
    expect((await doctor([url, '--code', eight])).stdout).toContain('RIGHT: ');
  });

  it.each([
    [['X'], /Give a code that the device showed/],
    [['X', '--code', '12345'], /6, 7 or 8 digits/],
    [['X', '--code', '123456@yesterday'], /time of the code is not understood/],
    [['X', '--code', '123456', '--code', '12345678'], /one length/],
    [['--code', '123456'], /Give a TOTP secret/],
    [['X', '--pairs', 'codes.csv'], /either a secret or --pairs/],
    [['--pairs', 'codes.csv'], /needs the export/],
  ])('%j is refused', async (args, message) => {
    await place.write('codes.csv', `email,code,time\nann@example.com,${code},${time}\n`);
    const { code: exit, stderr } = await doctor(args);
    expect(exit).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('an export', () => {
  /** Keycloak stores the text of the secret; this one was set by an app that meant hexadecimal. */
  const realm = (secret: string) => ({
    realm: 'r',
    users: [
      {
        id: 'u1',
        username: 'ann',
        email: 'ann@example.com',
        enabled: true,
        credentials: [
          {
            type: 'otp',
            secretData: JSON.stringify({ value: secret }),
            credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }),
          },
        ],
      },
    ],
  });

  it('is checked against known codes of its users', async () => {
    await place.write('realm.json', JSON.stringify(realm('a key of twenty byte')));
    await place.write('codes.csv', `email,code,time\nAnn@example.com,${code},${time}\n`);
    const { code: exit, stdout } = await doctor(['--pairs', 'codes.csv', '--export', 'realm.json']);
    expect({ exit, stdout }).toMatchObject({ exit: 0 });
    expect(stdout).toContain('1 person examined, 1 right\na…@e….com:\n  RIGHT: ');
  });

  it('whose secrets are something else is reported with what they are', async () => {
    await place.write('hex.json', JSON.stringify(realm(key.toString('hex'))));
    await place.write(
      'two.csv',
      `email,code,time\nann@example.com,${code},${time}\nbob@example.com,${code},${time}\n`,
    );
    const ended = await doctor(['--pairs', 'two.csv', '--export', 'hex.json', '--from', 'keycloak']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('hexadecimal, encoded in Base32 once more');
    expect(ended.stderr).toContain('b…@e….com is not in the export');
  });
});
