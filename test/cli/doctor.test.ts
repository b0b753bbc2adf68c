/** `carryover doctor`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePlace, type Place, type RunOptions } from '../helpers/carryover.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { signPassword } from '../helpers/scrypt-variant.ts';

let place: Place;
beforeAll(async () => {
  place = await makePlace();
});
afterAll(() => place.remove());

const doctor = (args: readonly string[], options?: RunOptions) => place.run(['doctor', ...args], options);

const signerKey = Buffer.alloc(64, 3);
const otherKey = Buffer.alloc(64, 9).toString('base64');

/** A Firebase export of users whose password is the part of their email before the @. */
function firebaseExport(...names: readonly string[]): string {
  const users = names.map((name, at) => {
    const { hash: passwordHash, salt } = signPassword(name, signerKey);
    return { localId: `u${at}`, email: `${name}@example.com`, emailVerified: true, passwordHash, salt };
  });
  return JSON.stringify({ users });
}
const fromFirebase = ['--from', 'firebase', '--firebase-rounds', '8', '--firebase-mem-cost', '4'];

describe('one hash', () => {
  it('names kind and cost', async () => {
    const { code, stdout } = await doctor([knownHash]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^BCrypt \(logRounds 4\), less than 1 ms and 5 KiB a verification\nRECOGNISED: /);
  });

  it.each([
    ['a file', ['--password-file', 'known.txt'], undefined],
    ['the standard input', ['--password-stdin'], { input: `${knownPassword}\r\nanother line\n` }],
    ['an argument', ['--password', knownPassword], undefined],
  ] as const)('takes its password from %s', async (_where, args, options) => {
    await place.write('known.txt', `\ufeff${knownPassword}\n`);
    const ended = await doctor([knownHash, ...args], options);
    expect({ code: ended.code, right: ended.stdout.includes('RIGHT: ') }).toEqual({ code: 0, right: true });
    expect(ended.stdout + ended.stderr).not.toContain(knownHash.slice(7));
  });

  it('comes from the standard input, and its repair is named', async () => {
    const ended = await doctor(['-', '--password', knownPassword, '--json'], {
      input: `{bcrypt}${knownHash}\n`,
    });
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: 'OK',
      code: 'REPAIRED',
      repair: 'prefix',
      parameter: 'passwordHash',
      kind: 'bcrypt',
    });
  });

  it('is verified with the keys of a configuration, of the environment, of a flag', async () => {
    const { passwordHash } = signPassword('ada', signerKey);
    const key = signerKey.toString('base64');
    await place.write('config.yaml', `provider_password_hashing_signer_key: ${key}\n`);
    const ways: readonly (readonly [readonly string[], RunOptions?])[] = [
      [['--config', 'config.yaml']],
      [['--firebase-signer-key', key]],
      [[], { environment: { CARRYOVER_FIREBASE_SIGNER_KEY: key } }],
    ];
    for (const [args, options] of ways) {
      const ended = await doctor([passwordHash, '--password', 'ada', ...args], options);
      expect(ended.code).toBe(0);
      expect(ended.stderr).toContain(
        'Examined as provider_scrypt: an import has to say so in hashingAlgorithm',
      );
      expect(ended.stdout + ended.stderr).not.toContain(key);
    }
    const wrong = await doctor([passwordHash, '--password', 'ada', '--firebase-signer-key', otherKey]);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/WRONG: [^]*second pair[^]*Look at: provider_password_hashing_signer_key/);
  });

  it.each([
    ['nothing', [], 'Give a hash'],
    ['an export alone', [knownHash, '--export', 'x.json'], '--export goes with --pairs'],
    ['both on the standard input', ['-', '--password-stdin'], 'cannot be both'],
    ['two passwords', [knownHash, '--password', 'a', '--password-stdin'], 'cannot be used with'],
    ['no such file', [knownHash, '--password-file', 'none.txt'], 'there is no such file'],
    ['a hash and pairs', [knownHash, '--pairs', 'x.csv'], 'either a hash or --pairs'],
    ['a key that is none', [knownHash, '--firebase-signer-key', 'not base64!'], 'signer_key'],
  ] as const)('is refused with %s', async (_what, args, message) => {
    const { code, stdout, stderr } = await doctor(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('many pairs', () => {
  it('are counted by kind, each advice once', async () => {
    const { passwordHash } = signPassword('ada', signerKey);
    await place.write(
      'pairs.csv',
      [
        'email,Password,password_hash,hashing_algorithm',
        `a@example.com,${knownPassword},${knownHash},`,
        `b@example.com,${knownPassword},{bcrypt}${knownHash},`,
        `c@example.com,${knownPassword},{bcrypt}${knownHash},`,
        `d@example.com,another,${knownHash},bcrypt`,
        `e@example.com,ada,${passwordHash},`,
      ].join('\n'),
    );
    const ended = await doctor([
      '--pairs',
      'pairs.csv',
      '--firebase-signer-key',
      signerKey.toString('base64'),
    ]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('5 pairs examined');
    expect(ended.stdout).toMatch(/\n {2}bcrypt +4 +1 +2 +1\n {2}Firebase scrypt +1 +1 +0 +0\n/);
    expect(ended.stdout.split('left').length - 1).toBeLessThan(4);
    expect(ended.stdout).toContain('REPAIRED, bcrypt, rows 2 (b…@e….com), 3 (c…@e….com): ');
    expect(ended.stdout).toContain('WRONG, bcrypt, row 4 (d…@e….com): ');
  });

  it('come as NDJSON too, and as JSON out', async () => {
    const pair = { email: 'a@example.com', hash: knownHash, password: knownPassword };
    await place.write('pairs.ndjson', `${JSON.stringify(pair)}\n\n${JSON.stringify({ hash: knownHash })}\n`);
    const { code, stdout } = await doctor(['--show-samples', '--pairs', 'pairs.ndjson', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'OK',
      kinds: [{ kind: 'bcrypt', pairs: 2, right: 2, repaired: 0, wrong: 0 }],
      pairs: [
        { row: 1, email: 'a@example.com', code: 'RIGHT' },
        { row: 2, code: 'RECOGNISED' },
      ],
    });
  });

  it('are looked up in an export; a wrong signer key is reported with certainty', async () => {
    await place.write('users.json', firebaseExport('ada', 'bob', 'eve'));
    await place.write('known.csv', 'email,password\nADA@example.com,ada\neve@example.com,eve\n');
    const args = ['--pairs', 'known.csv', '--export', 'users.json', ...fromFirebase];
    const wrong = await doctor([...args, '--firebase-signer-key', otherKey]);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('The passwords are right and the SIGNER KEY is wrong');
    expect(wrong.stdout).toContain('Look at: provider_password_hashing_signer_key');
    for (const key of [otherKey, signerKey.toString('base64')])
      expect(wrong.stdout + wrong.stderr).not.toContain(key);
    const right = await doctor([...args, '--firebase-signer-key', signerKey.toString('base64')]);
    expect(right).toMatchObject({ code: 0 });
    expect(right.stdout).toMatch(/Firebase scrypt +2 +2 +0 +0/);
  });

  it('name users who are not in the export', async () => {
    await place.write('users.json', firebaseExport('ada'));
    await place.write('known.csv', 'email,password\nada@example.com,ada\nnobody@example.com,x\n');
    const { code, stderr } = await doctor([
      '--pairs',
      'known.csv',
      '--export',
      'users.json',
      ...fromFirebase,
      '--firebase-signer-key',
      signerKey.toString('base64'),
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('Row 2: n…@e….com has no password hash in the export, or is not in it');
  });

  it('name old systems of the export that the configuration does not ask', async () => {
    const userOf = (name: string, secret: object): string => {
      const method = { recipeId: 'emailpassword', email: `${name}@example.com`, ...secret };
      return `${JSON.stringify({ loginMethods: [method] })}\n`;
    };
    const sources = ['asked', 'unset'];
    const users = [
      userOf('ada', { passwordHash: knownHash }),
      ...sources.map((n) => userOf(n, { legacy: n })),
    ];
    await place.write('users.ndjson', users.join(''));
    const known = ['ada', ...sources].map((name) => `${name}@example.com,${knownPassword}\n`);
    await place.write('known.csv', `email,password\n${known.join('')}`);
    const asked = { name: 'asked', speaks: 'http', url: 'https://old.example/', hmac_secret: 'shared' };
    const settings = { legacy_sources: [{ ...asked, until: '2999-12-31' }] };
    await place.write('core.yaml', JSON.stringify(settings));
    const args = ['--pairs', 'known.csv', '--export', 'users.ndjson', '--config', 'core.yaml'];
    const { code, stdout, stderr } = await doctor(args);
    expect(code).toBe(1);
    expect(stdout).toMatch(/bcrypt +1 +1 +0 +0/);
    const named = stderr.matchAll(/^Row (\d).*the old system '(.*)$/gm);
    expect([...named].map((match) => match.slice(1))).toEqual([
      ['2', "asked', which is asked at the first sign-in"],
      [
        '3',
        "unset', which legacy_sources of this configuration does not have. Set it there or for the app, or let these users reset their passwords",
      ],
    ]);
  });

  it.each([
    ['nothing', '', 'known passwords'],
    ['no header', 'a@example.com,secret-of-a\n', 'needs a header row'],
    ['no JSON', '{"email":"a","password":"secret-of-a"\n', 'row 1 is no JSON object'],
    ['no hash', 'email,password\na@example.com,secret-of-a\n', 'row 1 has no hash'],
  ])('are refused: %s', async (_what, text, message) => {
    await place.write('bad.csv', text);
    const { code, stdout, stderr } = await doctor(['--pairs', 'bad.csv']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret-of-a');
  });
});
