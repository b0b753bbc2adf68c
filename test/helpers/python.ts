/** Python with libraries that verify receipts, and Django; without them these tests are left out, and reported. */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Another one than the machine's, such as that of a virtual environment. */
const python = process.env.RECEIPT_PYTHON ?? 'python3';

const importsIn = (interpreter: string, ...modules: readonly string[]): boolean =>
  spawnSync(interpreter, ['-c', `import ${modules.join(', ')}`]).status === 0;
const imports = (...modules: readonly string[]): boolean => importsIn(python, ...modules);

/** `pip install securesystemslib[crypto] pymerkle` */
export const hasPymerkle = imports('securesystemslib.dsse', 'cryptography', 'pymerkle');

const script = fileURLToPath(new URL('verify-receipt.py', import.meta.url));

/** @throws Error with what was wrong */
export function verifiedByPython(input: object): unknown {
  return JSON.parse(
    execFileSync(python, ['-W', 'ignore', script], { input: JSON.stringify(input) }).toString(),
  );
}

/** Django and what its hashers need. Debian: `apt-get install python3-django python3-argon2 python3-bcrypt`. */
const withDjango = [python, '/usr/bin/python3'].find((each) => importsIn(each, 'django', 'argon2', 'bcrypt'));
export const hasDjango = withDjango !== undefined;

const hashers = ['PBKDF2', 'PBKDF2SHA1', 'Argon2', 'BCryptSHA256', 'BCrypt'].map(
  (name) => `django.contrib.auth.hashers.${name}PasswordHasher`,
);
const check = `
import json, sys
from django.conf import settings
encoded, password, hashers = json.load(sys.stdin)
settings.configure(PASSWORD_HASHERS=hashers)
from django.contrib.auth.hashers import check_password
print(json.dumps(check_password(password, encoded)))`;

/** Django's check_password, with its own hashers and that for bcrypt, which a project has to add. */
export function isRightForDjango(hash: string, password: string): boolean {
  const input = JSON.stringify([hash, password, hashers]);
  const answer = execFileSync(withDjango ?? python, ['-W', 'ignore', '-c', check], { input });
  return JSON.parse(answer.toString()) as boolean;
}
