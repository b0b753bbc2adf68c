/** A made-up old system, for a start without an export: the users of a Laravel application, with what real ones have. */
import { setImmediate } from 'node:timers/promises';

export const demoName = 'demo-laravel-users.csv';
export const demoPasswordsName = 'demo-known-passwords.csv';
export const demoUsers = 20_000;

/** Of all of them, so that the hashes need no computing: as PHP's password_hash makes them. */
const password = 'correct horse battery staple';
const bcrypt = '$2y$10$oCMUe0TXvCSGjlGT.6BjWOZ14WovNjg3HCl2rKyTCGf5buWWPnVm.';
const argon2id =
  '$argon2id$v=19$m=19456,t=2,p=1$Nhq2PqG+lhNhd7GVDjBSnQ$xhAlqZ+1zEE2cy9p+bB6PsPzVzERdcewmegjtKFWLag';

const given = [
  'Ada',
  'Bo',
  'Chen',
  'Dilek',
  'Emeka',
  'Fatima',
  'Goran',
  'Hana',
  'Ines',
  'Jun',
  'Kofi',
  'Lena',
];
const family = [
  'Lovelace',
  'Ngo',
  'Okafor',
  'Petrov',
  'Quist',
  'Rossi',
  'Silva',
  'Tanaka',
  'Ueda',
  'Varga',
  'Weiss',
];
const header = 'id,name,email,email_verified_at,password,remember_token,created_at,updated_at,deleted_at';
const dayMs = 86_400_000;
const begunAt = Date.UTC(2017, 2, 1);

/** A few milliseconds of work. */
const rowsAtOnce = 200;

/** The file, 3.5 MB for the usual number, the same at each call: in parts, between which the core does other work. */
export async function* demoExport(users = demoUsers): AsyncGenerator<string> {
  yield `${header}\n`;
  for (let from = 0; from < users; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, users - from) }, (_, n) => rowOf(from + n));
    yield `${rows.join('\n')}\n`;
    await setImmediate();
  }
}

/** Some users and the password that all of them have, to verify before anything is imported. */
export function demoPasswords(): string {
  const rows = [1, 3, 4, 6, 7].map((n) => `${emailOf(n)},${password}`);
  return `email,password\n${rows.join('\n')}\n`;
}

function rowOf(n: number): string {
  const joined = new Date(begunAt + ((n * 7919) % 3000) * dayMs + ((n * 104_729) % dayMs));
  const at = joined.toISOString().slice(0, 19).replace('T', ' ');
  const isVerified = n % 9 !== 2;
  const removed = n % 97 === 5 ? '2025-11-02 10:00:00' : '';
  const cells = [n + 1, nameOf(n), emailAt(n), isVerified ? at : '', hashOf(n), '', at, at, removed];
  return cells.map(String).join(',');
}

function nameOf(n: number): string {
  return `${given[n % given.length] ?? ''} ${family[(n * 5) % family.length] ?? ''}`;
}

function emailOf(n: number): string {
  return `${nameOf(n).toLowerCase().replace(' ', '.')}.${n + 1}@example.com`;
}

/** As people type, and as tables of many years have it. */
function emailAt(n: number): string {
  if (n % 1999 === 1200) return nameOf(n);
  if (n % 2503 === 900) return emailOf(n - 1).toUpperCase();
  return emailOf(n);
}

/** bcrypt as PHP writes it; some moved to Argon2id; some were cut by a column that was too short. */
function hashOf(n: number): string {
  if (n % 1499 === 700) return bcrypt.slice(0, 50);
  return n % 5 === 3 ? `"${argon2id}"` : bcrypt;
}
