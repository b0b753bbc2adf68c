/** Hashes that other systems made, in their own forms: each was written by the system or library that its group names. */
import { describe, expect, it } from 'vitest';
import { acceptHash } from '../../src/hashes/accept.ts';
import { parseStoredHash } from '../../src/hashes/recognise.ts';
import { kindNames } from '../../src/hashes/registry.ts';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';

const password = 'Nétt & späte-7';
const secrets = { signerKey: undefined };

/** The answer of an import, and of the sign-ins after it, which have only the stored string. */
function signedIn(hash: string, named?: string): string {
  const accepted = acceptHash(hash, named, { limits, ...secrets });
  if (!accepted.ok) return accepted.message;
  const stored = parseStoredHash(accepted.stored, limits);
  if (!stored.ok) return stored.message;
  const isRight = (text: string) => verifyParsed(stored.parsed, Buffer.from(text), secrets);
  return isRight(password) && !isRight(`${password}!`) ? accepted.kind : 'the password is not right';
}

function refused(hash: string, named?: string): string {
  const accepted = acceptHash(hash, named, { limits, ...secrets });
  if (accepted.ok) throw new Error('was expected to be refused');
  return `${accepted.code}: ${accepted.message}`;
}

describe('hashes of Dovecot (doveadm pw of 2.3.19)', () => {
  it.each([
    [
      'sha512_crypt',
      '{SHA512-CRYPT}$6$kzqV2bl55KbVzSaJ$DqS4rzgnpUEsSTkO6nhGbYSWOnsLpqTYE0JNlfIwIRgRQ4vcfSRseS/EwZEKh57/WA1rRWtC9akIezbXnlcyU0',
    ],
    ['sha256_crypt', '{SHA256-CRYPT}$5$cDptfaP5Kf1cpWy8$JN5smQgbniG5kFw.Ct3GckcygUAj6LZ4Arn3wM.xXq5'],
    ['md5_crypt', '{MD5-CRYPT}$1$gxGHGMEr$eHX5JaR7QJdcewaOu8zSB1'],
    ['md5_crypt', '{MD5}$1$/ho1s/tO$TdItu2VjgrWRr822MpYUu1'],
    ['bcrypt', '{BLF-CRYPT}$2y$05$EAMW0wq/p1BxwrUBw.3PEuh6FykH3XZnCiiavLEk5dhqHwrF2PXyi'],
    ['bcrypt', '{CRYPT}$2y$05$on8e0nET8BhXhd/wCOaZZuzbIRSPxwJh3qo/ewUzkwb3W33wnvOQy'],
    ['ldap', '{SHA1}ibgLv4Fpfdbgi1J0IpnK7XRQvVk='],
    ['ldap', '{SSHA}TpKFvik1beWPO7ZmdMSfJilf62301ML/'],
    ['ldap', '{SSHA256}tYrLA5GHFD9OcfROlW6gUn5fewPoJEEv0mvsd5z9ltbEW53z'],
    ['ldap', '{SHA256.HEX}89c0da023c4a8cad9570ee2036667e6f3f4a2921086416cca08219a8228d3f71'],
    ['ldap', '{SHA256}89c0da023c4a8cad9570ee2036667e6f3f4a2921086416cca08219a8228d3f71'],
    ['ldap', '{SSHA256.HEX}bb43d82cda61c5ab83d46c313ce2b95ba2d178b9fe24b848f759696301b67d80a32111d3'],
    [
      'ldap',
      '{SSHA512.B64}rlldSxn6qh9gfITkqKVNS+JiMFvKnjbOm5dNNFdzzGeVhZ6Z43ISJWO2DsOe/tT4bxWeNq/O5x7H4H2XLgGQY3dxf8o=',
    ],
    ['ldap', '{SMD5}hpDmNMzVcy63pfw93TcpgFP1+nA='],
    ['ldap', '{SMD5.HEX}4e7b806f39fb6d0f601977d2f6031b0d6b70ac4e'],
    ['ldap', '{PLAIN-MD5}41d7db5dde630519e9037506b9bfd85b'],
    ['ldap', '{PLAIN-MD5.B64}QdfbXd5jBRnpA3UGub/YWw=='],
    ['ldap', '{LDAP-MD5}QdfbXd5jBRnpA3UGub/YWw=='],
    ['pbkdf2', '{PBKDF2}$1$M1WWfv9mdKVxD46p$5000$873a578576205e31caeba71e125943f2df042777'],
    [
      'argon2',
      '{ARGON2I}$argon2i$v=19$m=32768,t=4,p=1$ceFy0jpPQzAqNx+KJZVXkA$Ia0F1huBIizCpfn69IkPZpq0xQ15XPNYWULE5D2OMGw',
    ],
    [
      'argon2',
      '{ARGON2ID}$argon2id$v=19$m=65536,t=3,p=1$c1i/5P3K8oN+/931LwviaQ$HZfT1KNYYgALj342ul5+3bIWzXCZWyq/Jb3d5XWAegU',
    ],
  ])('%s %s', (kind, hash) => {
    expect(signedIn(hash)).toBe(kind);
    expect(signedIn(hash, kind)).toBe(kind);
  });

  it.each([
    ['{DES-CRYPT}o.GqpcgBowvnA', "crypt(3)'s DES"],
    ['{CRYPT}o.GqpcgBowvnA', "crypt(3)'s DES"],
    ['{PLAIN-MD4}bb767a67b600843ff752b057f754fc9e', 'MD4'],
    ['{CRAM-MD5}31ba5260bfdf88f7c8c9ed0d014935ee82c5b3ac463ccb806c71e2fbdae69ab0', 'CRAM-MD5'],
    [
      '{SCRAM-SHA-256}4096,ZMwJaZKpA4xIjMrEtFUkWA==,pGNftDGzYQDCpd1gIjVMy/UxiHqfkOuWTAgdc0oq6mw=,FtPlB2vtZhK01ZqaoA8tdg7P6ez5T8wx2y88x8ElFMI=',
      'SCRAM',
    ],
    ['{OTP}sha1 1024 fa86a35f79bc7981 34720586a12ed70a', 'a one-time password'],
  ])('names %s, which is not supported', (hash, name) => {
    expect(refused(hash)).toContain(`unsupported: Password hash is in invalid format: it looks like ${name}`);
  });

  it('calls a password in plain text one', () => {
    expect(refused(`{PLAIN}${password}`)).toContain('marks a plain-text password');
    expect(refused(`{PLAIN}${password}`)).not.toContain(password);
  });
});

describe('hashes of directories (passlib 1.7.4)', () => {
  it.each([
    [
      'sha512_crypt',
      '{CRYPT}$6$rounds=1000$5TCb40ZPCU/63jK4$/qH2VYmM30whJFJ5/flJhDhi8230yl1c54TQXjExl5pR4FgSNCbhN5ksprxgfQ4.HAVx.75WXlWWBtBdPI.dA.',
    ],
    ['sha256_crypt', '{crypt}$5$rounds=1000$cri1aZIyaIFDPqhw$mwu1jh311YzPNKEzzjkkrY1HIv3BOp0W1WUnoHCnDB/'],
    ['md5_crypt', '{Crypt}$1$QDUVsHK.$0V7VBhQEteNrcdqtbXw/u0'],
    ['bcrypt', '{CRYPT}$2b$04$GAuMiRvLLkMLWEV06skhKecmpreitKJPNyK8e4LWmm/WEzk/8arwS'],
    ['ldap', '{MD5}41d7db5dde630519e9037506b9bfd85b'],
    ['ldap', '{SHA}89b80bbf81697dd6e08b52742299caed7450bd59'],
    ['pbkdf2', '{PBKDF2}1000$VyqltBYiBKAUopSyVsr5/w$u7IclmBMZxqZ3p6oRNJE5pp/IO0'],
    ['pbkdf2', '{PBKDF2-SHA256}1000$7X3v3XuvdS4FwHgv5bx3zg$PKf1MWU.FdlG5S4k8I0ME6iwydj/Aj7k6W2s3d/9s4c'],
    [
      'pbkdf2',
      '{PBKDF2-SHA512}1000$rrX2/p8T4tw7Z.z9n9N67w$RFoydVkhJwZA0S74nP63sp0dnno0wdw6LiGvmqwa3AsEU6kXO9DWqJB6duzn6o3sYxv.pI3QxQTYdywPONwNNQ',
    ],
    ['pbkdf2', '{PKCS5S2}LMV4z7n33puTMiaEkLJWygyep/j/NaUqUW7Bnv7soPYDE27prEVh9yx4+4e+UwtF'],
  ])('%s %s', (kind, hash) => {
    expect(signedIn(hash)).toBe(kind);
  });

  it('are checked against the ceilings, and say what is wrong inside', () => {
    const cut = '{CRYPT}$2b$04$GAuMiRvLLkMLWEV06skhKecmpreitKJPNyK8e4LWmm/WEzk/8arw';
    expect(refused(cut)).toContain('it has 59 characters where bcrypt has 60');
    expect(refused(cut.replace('$04$', '$31$') + 'S')).toMatch(/^out-of-range/);
    expect(refused('{PBKDF2}$1$salt$99999999999$873a578576205e31caeba71e125943f2df042777')).toContain(
      'its iteration count is not',
    );
  });

  it('are not of another kind than what is inside the scheme', () => {
    const hash = '{CRYPT}$1$QDUVsHK.$0V7VBhQEteNrcdqtbXw/u0';
    for (const named of ['bcrypt', 'ldap']) expect(refused(hash, named)).toContain('to md5_crypt');
  });
});

describe('Nextcloud (password_hash of PHP 8.2 behind its version)', () => {
  it.each([
    [
      'argon2',
      '3|$argon2id$v=19$m=256,t=2,p=1$bXhadGlNeDZETURYWFg5UA$g4xHklWeWfN+2YZbDKVNkZURhmUmVj0QO1WLIJJGMCM',
    ],
    [
      'argon2',
      '2|$argon2i$v=19$m=256,t=2,p=1$U1hMOE9hNzlKMDB1allrSQ$9CVdRzbTrcmfbOYjL+p7csJHep/sTCrst3Z0xEG0T9k',
    ],
    ['bcrypt', '1|$2y$04$BphBYvY.AAYKQlfvAwowIuUAvJXAsZBmHLwYn4x37tbrnFjh1QSZu'],
  ])('%s %s', (kind, hash) => {
    expect(signedIn(hash)).toBe(kind);
  });

  it('has accounts whose hash is only the version, which have no password', () => {
    expect(refused('2|')).toContain('no-password: ');
    expect(refused('1|5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8')).toContain('neither bcrypt nor Argon2');
  });
});

describe('MediaWiki, XenForo and Magento (PHP 8.2 and hashlib agree)', () => {
  it.each([
    ['md5', ':A:41d7db5dde630519e9037506b9bfd85b'],
    ['construction', ':B:1a2b3c4d:967f18d3ed252aa1e0551362e1c39bc1'],
    [
      'pbkdf2',
      ':pbkdf2:sha512:30000:64:ABEiM0RVZneImaq7zN3u/w==:E+n1Xo5mJc3EbfnYqKjgBh96csnQ6mI4C4ct8xjrgNZHVfvP1Y/uZ5fXRrzD8YL+Een7bOgZZNW3XG4hHCydsA==',
    ],
    [
      'pbkdf2',
      ':pbkdf2:sha256:10000:128:ABEiM0RVZneImaq7zN3u/w==:2LnTmZRI/G9VdAFd7iraSoZtN0CynNOqYlXPpmBcyP5cJBPiyFnjIT793Hkr+SRl18XWykX7fCagYDOraEAxrZReGH/GFktbqS/5sl70xfo8eaRUcsTWay+GYup21uA+qMHjvvqHCbvHq03PLxFl8m41vWqSNKhaVCF4TDAZz/0=',
    ],
    ['bcrypt', 'a:1:{s:4:"hash";s:60:"$2y$04$BphBYvY.AAYKQlfvAwowIuUAvJXAsZBmHLwYn4x37tbrnFjh1QSZu";}'],
    [
      'construction',
      'a:3:{s:4:"hash";s:40:"4a1bd205ac5934f94d8ab4a02494fd41e233ced3";s:4:"salt";s:4:"s4lt";s:8:"hashFunc";s:4:"sha1";}',
    ],
    [
      'construction',
      'a:3:{s:4:"hash";s:64:"40fc654d0239b267c6f8aafbb5217852d6e57d5afa19a018b54550dced827c22";s:4:"salt";s:4:"s4lt";s:8:"hashFunc";s:6:"sha256";}',
    ],
    [
      'sha256',
      'f68b618c905877a718e0608a0ebf46f9433462dea70f58333a5827f4cd17c244:0o1ICsF2WcIcqIVeT8S2E72ggi9jzSVy:1',
    ],
    ['md5', '51f91c323478ee8446a25ba223e5728a:PP:0'],
    ['bcrypt', '$2y$04$BphBYvY.AAYKQlfvAwowIuUAvJXAsZBmHLwYn4x37tbrnFjh1QSZu:0'],
  ])('%s %s', (kind, hash) => {
    expect(signedIn(hash)).toBe(kind);
  });

  it.each([
    ':B:1a2b3c4d:3af4c5a0d5d5cd8f0cbe8ab9a5f5e7',
    ':pbkdf2:sha384:30000:64:ABEiM0RVZneImaq7zN3u/w==:ABEiM0RVZneImaq7zN3u/w==',
    ':pbkdf2:sha512:30000:64:ABEiM0RVZneImaq7zN3u/w==',
    ':pbkdf2-legacyB:!sha256:10000:128!ABEiM0RVZneImaq7zN3u/w==:x',
    'a:1:{s:4:"hash";s:60:"no hash of sixty characters, but as many characters as it";}',
    'a:3:{s:4:"hash";s:40:"00";s:4:"salt";s:4:"s4lt";s:8:"hashFunc";s:4:"sha1";}',
    'f0e4c2f76c58916ec258f246851bea091d14d4247a2fc3e18694461b1816e13b:0o1ICsF2WcIcqIVeT8S2E72ggi9jzSVy:0:1',
    '$2y$04$BphBYvY.AAYKQlfvAwowIuUAvJXAsZBmHLwYn4x37tbrnFjh1QSZu:1',
  ])('refuses %s', (hash) => {
    expect(refused(hash)).toMatch(/^(?:malformed|unsupported): /);
  });
});

describe('PASSWORD() of MySQL (passlib 1.7.4 and PHP agree)', () => {
  it('is the SHA-1 of the SHA-1', () => {
    expect(signedIn('*2A261AFB49438A0D10910A3A858FA96467E8FFD3')).toBe('sha1');
    expect(signedIn('*2a261afb49438a0d10910a3a858fa96467e8ffd3', 'sha1')).toBe('sha1');
  });

  it('is named where it was cut off, and not taken for an account without a password', () => {
    expect(refused('*2A261AFB49438A0D10910A3A858FA96467E8FFD')).toMatch(/^malformed: .*MySQL's PASSWORD\(\)/);
    expect(refused('*LK*')).toMatch(/^no-password/);
  });
});

describe('aspnet_Membership (hashlib and node:crypto agree)', () => {
  const hash = 'FF0Mqh/qlUinVHsIqdm0x/+w5ac=|1|c2l4dGVlbiBieXRlcyEhIQ==';

  it('is SHA-1 of the salt and the password in UTF-16', () => {
    expect([signedIn(hash), signedIn(hash, 'aspnet')]).toEqual(['sha1', 'sha1']);
  });

  it('may hold what is no hash of a kind that is shown', () => {
    expect(refused(`${password}|0|c2l4dGVlbiBieXRlcyEhIQ==`)).toContain('plain-text password');
    const encrypted = `${Buffer.alloc(32, 7).toString('base64')}|2|c2l4dGVlbiBieXRlcyEhIQ==`;
    expect(refused(encrypted)).toContain('encrypted with the machine key');
    expect(refused(encrypted.replace('|2|', '|1|'))).toContain('which it does not show');
  });
});

describe('Werkzeug before version 3 (generate_password_hash of 2.2.3)', () => {
  it.each([
    ['sha256$HmhS4blC0EYObGB3$237e4a1f50c1c69fefff979276bfb2b69d30c5f640a9a6bb14a9ffd6987a56f9'],
    [
      'sha384$C1OwZXzDOKDErgHq$43d23e9ba714d0fc101636f6e0b19983211cce2676f561537d3b78845d07c326dc14ee1407f334390734673eb7492d7b',
    ],
    [
      'sha512$AWQVcmk1Q7HMwu6f$97261efab07fecccec45a46926fbe2d219014d39dbba48b0ac89ddf34f62ab7771a934535df2552ff91a8b1aa6eabb8be036907417d0507ffe47830af1d9b3c8',
    ],
  ])('is an HMAC: %s', (hash) => {
    expect(signedIn(hash)).toBe('hmac');
  });

  it.each([
    ['sha1$t0eW50ZnmCE87TZj$58eca06045bcd74ffd3e7eea4664041e4a926886', 'sha1'],
    ['md5$C3sBQ6XEQQEsfncU$a236f60513e5569737b00f8026f153bc', 'md5'],
  ])('has to name %s, which is what Django writes', (hash, kind) => {
    expect(signedIn(hash, 'hmac')).toBe('hmac');
    expect(acceptHash(hash, undefined, { limits, ...secrets })).toMatchObject({ ok: true, kind });
  });

  it('is a digest where the salt is empty', () => {
    expect(signedIn('sha256$$89c0da023c4a8cad9570ee2036667e6f3f4a2921086416cca08219a8228d3f71')).toBe(
      'sha256',
    );
  });

  it('is not supported with SHA-224, and not in four parts', () => {
    expect(refused(`sha224$e3N4AJlItOaI40pH$${'0'.repeat(56)}`)).toContain("Werkzeug's HMAC with SHA-224");
    expect(refused(`sha256$salt$1$${'0'.repeat(64)}`)).toMatch(/^malformed/);
  });
});

describe('scrypt as WorkOS takes it (hashlib and node:crypto agree)', () => {
  const head = '$scrypt$v=1$n=4096,r=8,p=1,kl=64$c2l4dGVlbiBieXRlcyEhIQ';
  const key = 'v1l3+ZrZR2ANtDydUxMn2KGFhfn9aEH/U57tWB1r3igel+sYCsHMKecpDR8ulEfxykiV+XQUaGX3MIfGXomvQw';

  it('has N itself, and the bytes of its key', () => {
    expect(signedIn(`${head}$${key}`)).toBe('scrypt');
    expect(signedIn(`${head}$${key}`.replace('v=1$', ''))).toBe('scrypt');
  });

  it.each([
    ['kl=64', 'kl=32', 'its kl is not the number of bytes'],
    ['n=4096', 'n=4095', 'not a power of two'],
    ['n=4096', 'ln=12,n=4096', 'each once'],
    ['n=4096,', '', 'each once'],
    ['v=1', 'v=2', 'it must be $scrypt$'],
  ])('with %s for %s is refused', (from, to, reason) => {
    expect(refused(`${head}$${key}`.replace(from, to))).toContain(reason);
  });
});

describe('what is suggested', () => {
  const digest = '5f4dcc3b5aa765d61d8327deb882cf99';

  it('is conditional where the length alone shows it', () => {
    const problem = acceptHash(digest, undefined, { limits, ...secrets });
    expect(problem).toMatchObject({
      ok: false,
      message: expect.stringContaining('alone, without a salt, set hashingAlgorithm to md5') as string,
      ifSalted: 'Password hash is in invalid format: it is as long as MD5 in hexadecimal digits',
    });
  });

  it('reads the value: each kind that a refusal names takes the string', () => {
    const strings = [
      digest,
      ...[40, 64, 96, 128].map((length) => 'a'.repeat(length)),
      `${'0'.repeat(32)}:${'0'.repeat(128)}`,
      '$pbkdf2-sha384$i=10$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      '$e0801$c2FsdHNhbHQ=$c2FsdHNhbHRzYWx0c2FsdA==',
    ];
    for (const hash of strings) {
      const names = [...refused(hash).matchAll(/ to (\w+)/g)].map(([, name]) => name ?? '');
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        expect(kindNames).toContain(name);
        expect(acceptHash(hash, name, { limits, ...secrets })).toMatchObject({ ok: true });
      }
    }
  });

  it.each([
    '$e0801$c2FsdHNhbHR=$c2FsdHNhbHRzYWx0c2FsdA==',
    '$e0801$c2FsdHNhbHQ=$c2FsdA==',
    '$pbkdf2-sha384$i=0$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    `A${'B'.repeat(64)}C==`,
  ])('is nothing where no kind takes the string: %s', (hash) => {
    expect(refused(hash)).not.toMatch(/ to [a-z_0-9]+$/);
  });

  it("calls Django's wrapped hashers so", () => {
    const said = refused(
      'pbkdf2_wrapped_sha1$260000$qT3wZr8LkPx2$kXgdePOqSWJzUqyjro/Vl4B0Vmn9vC29TJXWbHTT0ik=',
    );
    expect(said).toMatch(/^unsupported: .*hasher of the site's own that wraps older hashes/);
    expect(said).not.toContain('digest other than');
  });
});
