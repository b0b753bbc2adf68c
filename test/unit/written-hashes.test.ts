/** A hash that a core imported from a system is recognised there, and is written there as the system had it. */
import { expect, it } from 'vitest';
import { requireDatabaseProvider } from '../../src/exports/providers/index.ts';
import { parseHash, storedForm } from '../../src/hashes/recognise.ts';
import type { HashKindName } from '../../src/hashes/registry.ts';
import { statedBeside } from '../../src/hashes/transforms/transforms.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';

const bcrypt = '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';
const ruby = bcrypt.replace('$2y$', '$2a$');
const ofWordpress = 'slashed,trimmed|trimmed';

interface Case {
  readonly system: string;
  readonly hash: string;
  readonly forms: string;
  readonly kind?: HashKindName;
}

const cases: readonly Case[] = [
  { system: 'laravel', hash: bcrypt, forms: 'typed' },
  { system: 'supabase', hash: ruby, forms: 'typed' },
  { system: 'authjs', hash: ruby.replace('$2a$', '$2b$'), forms: 'typed' },
  { system: 'devise', hash: ruby, forms: 'typed' },
  { system: 'devise', hash: ruby, forms: 'typed', kind: 'bcrypt_peppered' },
  {
    system: 'better-auth',
    hash: `${'0123456789abcdef'.repeat(2)}:${'ab'.repeat(64)}`,
    forms: 'typed',
    kind: 'better_auth',
  },
  {
    system: 'keycloak',
    hash: '$argon2id$v=19$m=7168,t=5,p=1$XUgTeW4ExwC5iYTZSP61FA$SsrRS+iiBjp+wjy5uJneIniBryY7NyxromvRlZ34Ems',
    forms: 'typed',
  },
  {
    system: 'keycloak',
    hash: '$pbkdf2-sha256$i=27500,l=32$XUgTeW4ExwC5iYTZSP61FA$SsrRS+iiBjp+wjy5uJneIniBryY7NyxromvRlZ34Ems',
    forms: 'typed',
  },
  { system: 'kratos', hash: bcrypt, forms: 'typed' },
  {
    system: 'kratos',
    hash: '$argon2id$v=19$m=131072,t=3,p=4$MSU4TiGgCxveOXKSbFqA6A$maMO9kIJ0iGGzaRu5k0FRIhe/aV21iu+kvWZRIgCd/A',
    forms: 'typed',
  },
  { system: 'wordpress', hash: '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81', forms: ofWordpress },
  {
    system: 'wordpress',
    hash: '$wp$2y$10$uSV0HAPIzx9TatTn7ifS/urE5P2hWVFUO/WUcdoclqVP8j1OrDbE.',
    forms: ofWordpress,
  },
  { system: 'wordpress', hash: bcrypt, forms: ofWordpress },
  { system: 'wordpress', hash: '5f4dcc3b5aa765d61d8327deb882cf99', forms: ofWordpress, kind: 'md5' },
  // As a site has it that hashes passwords as they are typed.
  { system: 'wordpress', hash: '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81', forms: 'typed' },
];

it.each(cases)('of $system: $hash of a password $forms', ({ system, hash, forms, kind }) => {
  const parsed = parseHash(hash, kind, defaultLimits);
  if (!parsed.ok) throw new Error(parsed.message);
  const stored = statedBeside(storedForm(hash, parsed.parsed), forms);
  if (typeof stored !== 'string') throw new Error(stored.message);
  const { there, here } = requireDatabaseProvider(system).database.writes?.hashes ?? {};
  expect(here?.(hash)).toContain(stored);
  expect(there?.(stored, parsed.parsed.kind)).toBe(hash);
});

it.each([
  'laravel',
  'django',
  'better-auth',
  'wordpress',
  'devise',
  'supabase',
  'authjs',
  'keycloak',
  'kratos',
])('a password that %s does not change before it hashes it is not written there', (system) => {
  const { there } = requireDatabaseProvider(system).database.writes?.hashes ?? {};
  expect(there?.(`$password-as$md5-hex$${bcrypt}`, 'bcrypt')).toBeUndefined();
});
