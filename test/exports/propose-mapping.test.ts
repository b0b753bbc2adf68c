/** The proposed mapping for a table of no known system. */
import { describe, expect, it } from 'vitest';
import { flagsOf, mapOf, proposeMapping } from '../../src/exports/recognise/propose-mapping.ts';

const bcrypt = '$2a$10$6odo.ERyYnXjyd4MxwQ/He7PY.kSA9VUM8fEtTToCYB/LHE5TvA02';
const md5 = 'eff539061077cb75c6cf192a40a9d61e';

function proposed(header: string, ...lines: readonly string[]) {
  const columns = header.split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((name, place) => [name, cells[place] ?? '']));
  });
  const found = proposeMapping(columns, rows);
  return found && { ...found, map: mapOf(found) };
}

describe('the proposed mapping', () => {
  it('finds the fields by name and by value, and opposite flags', () => {
    const found = proposed(
      'id,login,password_hash,email,activated,reset_key,created_date',
      `1,admin,${bcrypt},admin@example.com,t,,2023-02-03 10:11:12`,
      `2,greta,${bcrypt},greta@example.com,f,,2023-02-03 10:11:12`,
    );
    expect(found).toMatchObject({
      map: {
        externalUserId: 'id',
        email: 'email',
        passwordHash: 'password_hash',
        timeJoinedInMSSinceEpoch: 'created_date',
        isDisabled: '!activated',
      },
      hashAs: undefined,
      unused: [],
    });
  });

  it('finds an email and a hash in columns with names of any kind', () => {
    const found = proposed('nr,kontakt,geheim', `1,ada@example.com,${bcrypt}`, '2,bo@example.com,');
    expect(found?.map).toEqual({ email: 'kontakt', passwordHash: 'geheim' });
  });

  it('proposes the kind of a digest only where every value fits and no column may be its salt', () => {
    expect(proposed('id,mail,pwd', `1,a@example.com,${md5}`)?.hashAs).toBe('md5');
    expect(proposed('id,mail,pwd', `1,a@example.com,${md5}`, `2,b@example.com,${bcrypt}`)?.hashAs).toBe(
      'md5',
    );
    expect(
      proposed('id,mail,pwd', `1,a@example.com,${md5}`, `2,b@example.com,${md5}${md5}`)?.hashAs,
    ).toBeUndefined();
    const salted = proposed('id,mail,pwd,salt', `1,a@example.com,${md5},k#9`);
    expect(salted).toMatchObject({ hashAs: undefined, map: { passwordSalt: 'salt' }, unused: [] });
    expect(salted?.constructions).toContain('md5(md5(password).salt)');
    expect(salted?.constructions.join()).not.toMatch(/sha|salt=/);
  });

  it('maps every guard that name and values decide, and lists factors and dates', () => {
    const found = proposed(
      'uid,mail,pass,status,suspended,banned,locked_until,totp_secret,deleted_at,last_login_at',
      `2,nils@example.com,${bcrypt},active,0,2024-01-01,2099-01-01,ABC,,2024-01-02`,
      `3,nora@example.com,${bcrypt},blocked,1,,,,2024-01-02,2024-01-02`,
    );
    expect(found?.map).toMatchObject({
      deleted: 'deleted_at',
      isDisabled: 'banned',
      disabledUntil: 'locked_until',
      bannedUntil: '!status:active',
    });
    expect(found?.unused).toEqual([
      { column: 'suspended', looks: 'guard', values: ['0', '1'], field: undefined },
      { column: 'totp_secret', looks: 'factor' },
      { column: 'last_login_at', looks: 'date' },
    ]);
  });

  it.each([
    ['a flag that most have', 'status', ['1', '1', '0'], '!status'],
    ['words of one sense', 'Status', ['aktiv', 'Aktiv', 'gesperrt'], '!Status:aktiv'],
    ['a flag that few have', 'status', ['1', '0', '0'], undefined],
    ['numbers', 'status', ['10', '10', '9'], undefined],
    ['a word without a clear sense', 'status', ['active', 'pending', 'active'], undefined],
    ['words for blocked users alone', 'status', ['blocked', 'banned', 'banned'], undefined],
    ['no value', 'status', ['', '', ''], undefined],
    ['a column by which no user would be active', 'approved', ['f', 'f', 'f'], undefined],
    ['a flag of whether locks are enabled', 'LockoutEnabled', ['1', '1', '0'], undefined],
  ])('by %s', (_, name, values, own) => {
    const rows = values.map((value, n) => `${n},u${n}@example.com,${bcrypt},${value}`);
    const found = proposed(`id,email,password,${name}`, ...rows);
    expect(found?.map.isDisabled).toBe(own);
    const isAsked = own === undefined && name !== 'LockoutEnabled';
    expect(found?.unused.map(({ column }) => column)).toEqual(isAsked ? [name] : []);
  });

  it.each([
    ['ban_text', 'guard'],
    ['prohibit_login', 'guard'],
    ['user_state', 'guard'],
    ['compte_bloque', 'guard'],
    ['Bloqueado', 'guard'],
    ['pwdAccountLockedTime', 'guard'],
    ['closed_at', 'guard'],
    ['tfa_secret', 'factor'],
    ['user_email_token_expires', undefined],
    ['lock_version', undefined],
    ['first_failure', undefined],
    ['must_change_password', undefined],
  ])('sees what %s may be', (name, looks) => {
    const found = proposed(
      `id,email,password,${name}`,
      `1,a@example.com,${bcrypt},7`,
      `2,b@example.com,${bcrypt},7`,
    );
    expect(found?.unused).toMatchObject(looks === undefined ? [] : [{ column: name, looks }]);
    expect(found?.others).toEqual(looks === undefined ? [name] : []);
  });

  it('takes the column with most addresses for the email, and an id of another name', () => {
    const found = proposed(
      'email,contact,id_customer,passwd',
      `,a@example.com,1,${bcrypt}`,
      `x@example.com,b@example.com,2,${bcrypt}`,
    );
    expect(found?.map).toEqual({ externalUserId: 'id_customer', email: 'contact', passwordHash: 'passwd' });
  });

  it.each([
    'ada@example.com',
    "O'Brien+shop@mail.example.co.uk",
    'jürgen@bücher.example',
    'a@xn--bcher-kva.example',
    'a@b.xn--p1ai',
    'करन@उदाहरण.भारत',
  ])('takes %s for an email', (text) => {
    expect(proposed('nr,contact', `1,${text}`)?.map).toMatchObject({ email: 'contact' });
  });

  it.each([
    'npm:uws-pack@20.0.8',
    'uws-pack@20.0.8',
    'mailto:ada@example.com',
    'git@github.com:org/project.git',
    'https://ada@example.com',
    '<ada@example.com>',
    'ada@localhost',
    'ada@example..com',
    'ada@-example.com',
    'ada@example.c',
    'ada@@example.com',
  ])('does not take %s for an email', (text) => {
    expect(proposed('nr,contact', `1,${text}`)).toBeUndefined();
  });

  it('knows who makes keys that are longer than their digest', () => {
    const key = 'ab'.repeat(512);
    const found = proposed('id,email,hash,salt', `1,a@example.com,${key},c0ffee`);
    expect(found?.constructions).toEqual([
      'pbkdf2-sha256(iterations=25000)',
      'pbkdf2-sha1(iterations=25000)',
      'pbkdf2-sha512(iterations=25000)',
    ]);
  });

  it('reads headers for people, in German too', () => {
    const found = proposed(
      'Kunden-Nr.,E-Mail Address,Passwort-Hash,Gesperrt,Erstellt am',
      `7,a@example.com,${bcrypt},nein,2024-01-02`,
      `8,b@example.com,${bcrypt},ja,2024-01-02`,
    );
    expect(found?.map).toEqual({
      externalUserId: 'Kunden-Nr.',
      email: 'E-Mail Address',
      passwordHash: 'Passwort-Hash',
      isDisabled: 'Gesperrt',
      timeJoinedInMSSinceEpoch: 'Erstellt am',
    });
  });

  it('takes no plain password for a hash, and no column that is not unique for an id', () => {
    const found = proposed('id,email,password', '1,a@example.com,Sommer-24', '1,b@example.com,x');
    expect(found?.map).toEqual({ email: 'email' });
    expect(found?.unused).toEqual([{ column: 'password', looks: 'hash' }]);
  });

  it('goes by the names alone without records, and is undefined without an email', () => {
    expect(proposed('ID,E_Mail,Password')?.map).toEqual({
      externalUserId: 'ID',
      email: 'E_Mail',
      passwordHash: 'Password',
    });
    expect(proposed('id,title', '1,x')).toBeUndefined();
  });

  it('is printed as flags that a shell reads as they are', () => {
    const text = (header: string, line: string) => {
      const found = proposed(header, line);
      return found && flagsOf(found);
    };
    expect(text('id,mail,pwd', `1,a@example.com,${md5}`)).toBe(
      '--from native --map externalUserId=id,email=mail,passwordHash=pwd --hash-as md5',
    );
    expect(text("User ID,it's e-mail,active", '1,a@example.com,1')).toBe(
      "--from native --map 'externalUserId=User ID,email=it'\\''s e-mail,isDisabled=!active'",
    );
  });
});
