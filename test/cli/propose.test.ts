/** `inspect --propose`: the printed command, run as a shell would, into a whole core; then sign-ins. */
import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { newApp, signIn } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
let app: string;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});
beforeEach(async () => {
  app = await newApp(core);
});

interface Proposed {
  readonly format: string;
  readonly isKnown: boolean;
  readonly command: string;
  readonly map: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, string>>;
  readonly hashAs: string | null;
  readonly constructions: readonly string[];
  readonly decisions: readonly { readonly column: string; readonly values: readonly string[] }[];
  readonly doctor: readonly string[];
}

async function proposedFor(file: string, args: readonly string[] = []): Promise<Proposed> {
  const { code, stdout, stderr } = await place.run(['inspect', file, ...args, '--propose', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { proposed: Proposed }).proposed;
}

/** The words after the program's name, as a shell reads them. */
function wordsOf(command: string): readonly string[] {
  const script = `carryover() { printf '%s\\0' "$@"; }; npx() { shift; "$@"; }; ${command}`;
  return execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1);
}

async function importBy(command: string, expected = 0): Promise<void> {
  const words = wordsOf(command);
  const at = ['--yes', '--url', core.url, '--app', app.replace('/appid-', '')];
  const { code, stdout, stderr } = await place.run([...words, ...at], key);
  expect({ code, stdout, stderr }).toMatchObject({ code: expected });
}

interface Schema {
  readonly file: string;
  /** In addition to the file. */
  readonly arguments?: readonly string[];
  readonly password: string;
  /** In these ada and cora may sign in, bob is blocked; all have the same hash, so only guards block him. */
  readonly rows: string;
  readonly map: Readonly<Record<string, string>>;
  /** The import's exit code: 1 if the source marks a user as deleted, which is reported as not imported. */
  readonly code?: number;
}

const rails = '$2a$04$b76q/eT037AtV/e0f2OZs.Ig1hzeBPNQfDPG0B/ZkfuFBtXZc7APm';
const prisma = '$2b$04$BBnZhk7O6MfmoLAkMl2COOwTU2En3sRYYjBl./mIqVpmFBuueC4y2';
const joomla = '$2y$04$P6BJGsxxDIS4wU6aSousP.PcF.ASV51iz50mov5fDSeP.GdCWF6ua';
const drupal = '$2y$04$JEigUNC6otQdDangwrlpP.QmspY6f2N0kUAjU4tby.e.Ihi5l9vMi';
const phpbb = '$2y$04$8dMmyXVYAyHyWeWbi.kyx.BanEyLzqc2eAxZgTkKmqE9O6DhXxSRa';
const django = 'pbkdf2_sha256$20000$abnKZX53n6BWThzI$ELyIc9Xcm+PzL3cVpuANZYqjl/sbYEkS4dddivGu6+4=';
const aspnet = 'AQAAAAEAACcQAAAAEMgwCaYQZtIXIBB7GE9tYj2HjvmKkHqHfPvH0HRUlMc3Z7aMYfTv9haCRJinDmQz6A==';
const crm =
  '$argon2id$v=19$m=8192,t=1,p=1$NHdOeUk3SVRSbEdpYnVBVg$aQCm28pS3iWULSxqyePguvZT2Qdm04AWMz4QuU3YoGs';

/** Names and columns as the systems have them; the hashes are of PHP, Python and the bcrypt of npm. */
const schemas: Readonly<Record<string, Schema>> = {
  'Rails with has_secure_password': {
    file: 'rails members.csv',
    password: 'rails-ada-pass',
    rows: `id,email_address,password_digest,full_name,suspended,confirmed_at,created_at,updated_at
1,ada@example.com,${rails},Ada,f,2024-01-02 10:00:00,2024-01-01 09:00:00,2024-01-01 09:00:00
2,bob@example.com,${rails},Bob,t,,2024-01-01 09:00:00,2024-01-01 09:00:00
3,cora@example.com,${rails},Cora,f,,2024-01-01 09:00:00,2024-01-01 09:00:00
`,
    map: { passwordHash: 'password_digest', isVerified: 'confirmed_at', isDisabled: 'suspended' },
  },
  'an app with Prisma': {
    file: 'prisma.json',
    password: 'prisma-ada-pass',
    rows: JSON.stringify(
      ['ada', 'bob', 'cora'].map((name, n) => ({
        id: `cl${n}abc`,
        emailAddress: `${name}@example.com`,
        hashedPassword: prisma,
        createdAt: '2024-01-01T09:00:00.000Z',
        role: 'MEMBER',
        isActive: true,
        deletedAt: name === 'bob' ? '2024-02-01T09:00:00.000Z' : null,
      })),
    ),
    map: { passwordHash: 'hashedPassword', isDisabled: '!isActive', deleted: 'deletedAt' },
    code: 1,
  },
  'Django with a custom table of users': {
    file: 'accounts_member.csv',
    password: 'django-ada-pass',
    rows: `uuid,primary_email,password,is_active,joined_at,is_blocked
a-1,ada@example.com,${django},t,2024-01-01 09:00:00+00,f
a-2,bob@example.com,${django},t,2024-01-01 09:00:00+00,t
a-3,cora@example.com,${django},t,2024-01-01 09:00:00+00,f
`,
    map: { externalUserId: 'uuid', isDisabled: '!is_active', disabledUntil: 'is_blocked' },
  },
  'ASP.NET with columns of its own': {
    file: 'Members.csv',
    password: 'aspnet-ada-pass',
    rows: `MemberId,MailAddress,PwdHash,LockoutEnabled,LockedUntil,IsApproved,CreatedOn
1,ada@example.com,${aspnet},True,NULL,True,2024-01-01 09:00:00
2,bob@example.com,${aspnet},True,2999-01-01 00:00:00,True,2024-01-01 09:00:00
3,cora@example.com,${aspnet},True,2020-01-01 00:00:00,True,2024-01-01 09:00:00
`,
    map: { passwordHash: 'PwdHash', disabledUntil: 'LockedUntil', isDisabled: '!IsApproved' },
  },
  'phpBB 3': {
    file: 'phpbb_users.csv',
    password: 'phpbb-ada-pass',
    rows: `user_id,user_type,group_id,user_regdate,username,user_password,user_email,user_inactive_reason,user_inactive_time
2,3,5,1704067200,ada,${phpbb},ada@example.com,0,0
48,1,2,1704067200,bob,${phpbb},bob@example.com,3,1706745600
49,0,2,1704067200,cora,${phpbb},cora@example.com,0,0
`,
    map: { externalUserId: 'user_id', passwordHash: 'user_password', isDisabled: 'user_inactive_time' },
  },
  Drupal: {
    file: 'users_field_data.csv',
    password: 'drupal-ada-pass',
    rows: `uid,langcode,name,pass,mail,timezone,status,created,changed,access,login,init,default_langcode
1,en,ada,${drupal},ada@example.com,UTC,1,1704067200,1704067200,0,0,ada@example.com,1
2,en,bob,${drupal},bob@example.com,UTC,0,1704067200,1704067200,0,0,bob@example.com,1
3,en,cora,${drupal},cora@example.com,UTC,1,1704067200,1704067200,0,0,cora@example.com,1
`,
    map: { isDisabled: '!status', passwordHash: 'pass' },
  },
  Joomla: {
    file: 'joomla_users.csv',
    password: 'joomla-ada-pass',
    rows: `id,name,username,email,password,block,sendEmail,registerDate,lastvisitDate,activation,params,otpKey,otep
42,Ada,ada,ada@example.com,${joomla},0,0,2024-01-01 09:00:00,2024-01-01 09:00:00,,{},,
43,Bob,bob,bob@example.com,${joomla},1,0,2024-01-01 09:00:00,2024-01-01 09:00:00,,{},,
44,Cora,cora,cora@example.com,${joomla},0,0,2024-01-01 09:00:00,2024-01-01 09:00:00,,{},,
`,
    map: { isDisabled: 'block', timeJoinedInMSSinceEpoch: 'registerDate' },
  },
  'the CSV of a CRM with German headers': {
    file: "Kunden '24.csv",
    password: 'crm-ada-pass',
    rows: `Kunden-Nr.;Name;E-Mail Address;Passwort-Hash;Gesperrt;Status;Registriert am
K1;Ada;ada@example.com;${crm};nein;aktiv;2024-01-01
K2;Bob;bob@example.com;${crm};ja;gesperrt;2024-01-01
K3;Cora;cora@example.com;${crm};nein;aktiv;2024-01-01
`,
    map: { externalUserId: 'Kunden-Nr.', isDisabled: 'Gesperrt', disabledUntil: '!Status:aktiv' },
  },
  'a table of its own in a dump of MySQL': {
    file: 'members.sql',
    password: 'rails-ada-pass',
    rows: `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
CREATE TABLE \`members\` (
  \`member_no\` int NOT NULL AUTO_INCREMENT,
  \`mail\` varchar(190) NOT NULL,
  \`pass\` varchar(255) DEFAULT NULL,
  \`is_active\` tinyint(1) NOT NULL DEFAULT '1',
  PRIMARY KEY (\`member_no\`)
) ENGINE=InnoDB;
INSERT INTO \`members\` VALUES (1,'ada@example.com','${rails}',1),(2,'bob@example.com','${rails}',0),(3,'cora@example.com','${rails}',1);
-- Dump completed on 2024-01-01  9:00:00
`,
    map: { externalUserId: 'member_no', passwordHash: 'pass', isDisabled: '!is_active' },
  },
  'one of several tables in a dump of PostgreSQL': {
    file: 'shop.sql',
    arguments: ['--table', 'public.members'],
    password: 'rails-ada-pass',
    rows: `--
-- PostgreSQL database dump
--
CREATE TABLE public.orders (id integer NOT NULL, member integer);
CREATE TABLE public.members (id uuid NOT NULL, mail text NOT NULL, pass text, banned boolean);
COPY public.orders (id, member) FROM stdin;
1\t1
\\.
COPY public.members (id, mail, pass, banned) FROM stdin;
5c9d2f0e-0000-4000-8000-000000000001\tada@example.com\t${rails}\tf
5c9d2f0e-0000-4000-8000-000000000002\tbob@example.com\t${rails}\tt
5c9d2f0e-0000-4000-8000-000000000003\tcora@example.com\t${rails}\tf
\\.
--
-- PostgreSQL database dump complete
--
`,
    map: { externalUserId: 'id', passwordHash: 'pass', isDisabled: 'banned' },
  },
};

async function expectGuarded(password: string): Promise<void> {
  const statuses: unknown[] = [];
  for (const name of ['ada', 'cora', 'bob'])
    statuses.push(await signIn(core, `${name}@example.com`, password, app));
  expect(statuses).toEqual(['OK', 'OK', 'WRONG_CREDENTIALS_ERROR']);
}

describe('the command that inspect --propose prints', () => {
  it.each(Object.entries(schemas))('imports %s', async (_, schema) => {
    const { file, password, rows, map, code } = schema;
    await place.write(file, rows);
    const { command, map: found, reasons } = await proposedFor(file, schema.arguments);
    expect(found).toMatchObject(map);
    expect(Object.keys(reasons)).toEqual(Object.keys(found));
    await importBy(command, code);
    await expectGuarded(password);
  });
});

describe('hashes with a salt in another column', () => {
  it.each([
    {
      of: "a Node app's pbkdf2Sync",
      password: 'node-ada-pass',
      header: 'id,mail,salt,hash,disabled',
      row: (name: string, n: number) =>
        `${n},${name}@example.com,9ef8f46bb28f12e8784df042c33bbb53,a65ef7aae480d10c210d3a5cde98d685fa1ea49c8b6bc2d25d41b178a1af08c57760d4425d129856cdd831497d69be5df04a0b3e74ccef431fe6b4e4a6887e5d,${name === 'bob' ? 'yes' : 'no'}`,
      hashAs: 'pbkdf2-sha512(iterations=1000)',
    },
    {
      of: "a view of Discourse's users and user_emails",
      password: 'discourse-ada-pass',
      header: 'id,email,username,password_hash,salt,active,approved,suspended_till,silenced_till,created_at',
      row: (name: string, n: number) =>
        `${n},${name}@example.com,${name},18381f017bdf19279b8200c42fbbbfd01794b188cb4eec03a77eb94f3d11266c,1f60dfb10751cc4d122a05f122a01f8d,t,f,${name === 'bob' ? '2999-01-01 00:00:00' : ''},,2024-01-01 09:00:00`,
      hashAs: 'pbkdf2-sha256(iterations=64000)',
    },
  ])('get constructions of which the doctor verifies one: $of', async ({ password, header, row, hashAs }) => {
    await place.write('users.csv', `${[header, ...['ada', 'bob', 'cora'].map(row)].join('\n')}\n`);
    await place.write('known.csv', `email,password\nada@example.com,${password}\n`);
    const { command, constructions, doctor, map } = await proposedFor('users.csv');
    expect(map).toMatchObject({ passwordSalt: 'salt' });
    expect(command).not.toContain('--hash-as');
    const right: string[] = [];
    expect(doctor.map((each) => wordsOf(each).at(-1))).toEqual(constructions);
    for (const each of doctor.filter((line) => line.includes('iterations=1000)') || line.includes(hashAs))) {
      const { code } = await place.run(wordsOf(each));
      if (code === 0) right.push(wordsOf(each).at(-1) ?? '');
    }
    expect([constructions, right]).toEqual([expect.arrayContaining([hashAs]), [hashAs]]);
    await importBy(`${command} --hash-as '${hashAs}'`);
    await expectGuarded(password);
  });
});

describe('inspect --propose', () => {
  const users = (...values: readonly string[]) =>
    ['nr,mail,pw,status', ...values.map((value, n) => `${n},u${n}@example.com,${joomla},${value}`)].join(
      '\n',
    );

  it('says each reason in its text, and a guard of unclear sense as a decision with its values', async () => {
    await place.write('own.csv', users('10', '9', '10'));
    const { stdout, code } = await place.run(['inspect', 'own.csv', '--propose']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ import own\.csv --from native --map email=mail,passwordHash=pw\n/);
    expect(stdout).toMatch(/email=mail: all 3 values are email addresses/);
    expect(stdout).toMatch(/DECIDE: column status .*values are 10, 9\. .*isDisabled=!status:/);
    expect((await proposedFor('own.csv')).decisions).toEqual([
      { column: 'status', looks: 'guard', values: ['10', '9'], field: 'isDisabled' },
    ]);
  });

  it('names a field that is still free for a decision, which then keeps the user out', async () => {
    const row = (name: string, status: number) => `${name}@example.com,${joomla},no,${status}`;
    await place.write(
      'two.csv',
      ['mail,pw,blocked,status', row('ada', 10), row('bob', 9), row('cora', 10)].join('\n'),
    );
    const { command, map } = await proposedFor('two.csv');
    expect(map).toMatchObject({ isDisabled: 'blocked' });
    const { stdout } = await place.run(['inspect', 'two.csv', '--propose']);
    const [, form = ''] = /add '(.*):word\|word'/.exec(stdout) ?? [];
    await importBy(`${command} --map '${form}:10'`);
    await expectGuarded('joomla-ada-pass');
  });

  it('proposes the kind of plain digests, with a doctor command that proves it', async () => {
    await place.write('md5.csv', 'id,mail,pwd\n1,a@example.com,900150983cd24fb0d6963f7d28e17f72\n');
    const { hashAs, command, doctor } = await proposedFor('md5.csv');
    expect([hashAs, command]).toEqual(['md5', expect.stringMatching(/ --hash-as md5$/)]);
    for (const [password, code] of [
      ['abc', 0],
      ['abd', 1],
    ] as const) {
      await place.write('known.csv', `email,password\na@example.com,${password}\n`);
      expect(await place.run(wordsOf(doctor[0] ?? ''))).toMatchObject({ code });
    }
  });

  it('keeps how the file is read', async () => {
    await place.write('bare.csv', `1,ada@example.com,${joomla}\n`);
    const columns = ['--columns', 'id,mail,pass'];
    const { stdout } = await place.run(['inspect', 'bare.csv', '--propose', '--json', ...columns]);
    const { command } = (JSON.parse(stdout) as { proposed: Proposed }).proposed;
    expect(wordsOf(command)).toEqual(expect.arrayContaining(columns));
    await importBy(command);
    expect(await signIn(core, 'ada@example.com', 'joomla-ada-pass', app)).toBe('OK');
  });

  it('names a known format, and prints its command', async () => {
    await place.write('wp.csv', `ID,user_login,user_pass,user_email\n1,ada,${joomla},ada@example.com\n`);
    const proposed = await proposedFor('wp.csv');
    expect(proposed).toMatchObject({ format: 'wordpress', isKnown: true });
    await importBy(proposed.command);
    expect(await signIn(core, 'ada@example.com', 'joomla-ada-pass', app)).toBe('OK');
    const { stdout } = await place.run(['inspect', 'wp.csv', '--propose']);
    expect(stdout).toMatch(/^This is wordpress .*\n\n.* import wp\.csv --from wordpress\n$/);
  });

  it('is what an inspection of a custom table leads to, for programs too', async () => {
    await place.write('my own.csv', users('1'));
    const { code, stdout, stderr } = await place.run(['inspect', 'my own.csv', '--json']);
    const view = JSON.parse(stdout) as { next: { command: string }[] };
    expect([code, view]).toMatchObject([
      2,
      { code: 'CUSTOM_TABLE', message: expect.stringContaining('check the proposed command') as string },
    ]);
    const [importing = '', proposing = ''] = view.next.map(({ command }) => command);
    expect(stderr).toContain(`this command imports it:\n${importing}\n`);
    const { command } = await proposedFor(wordsOf(proposing)[1] ?? '');
    expect(wordsOf(importing)).toEqual(wordsOf(command));
    await importBy(importing);
  });

  it.each([
    ['own.csv without emails', ['bad.csv'], /no column .* email addresses/],
    ['a mapping that is given', ['own.csv', '--map', 'email=mail'], /leave out --map/],
    ['several files', ['own.csv', 'bad.csv'], /takes one file/],
  ])('refuses %s', async (_, args, message) => {
    await place.write('own.csv', users('1'));
    await place.write('bad.csv', 'id,colour\n1,red\n');
    const { code, stderr } = await place.run(['inspect', ...args, '--propose']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) as string });
  });
});
