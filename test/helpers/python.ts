/** Python with libraries that verify receipts; without them these tests are left out, and reported. */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Another one than the machine's, such as that of a virtual environment. */
const python = process.env.RECEIPT_PYTHON ?? 'python3';

const imports = (...modules: readonly string[]): boolean =>
  spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status === 0;

/** `pip install securesystemslib[crypto] pymerkle` */
export const hasPymerkle = imports('securesystemslib.dsse', 'cryptography', 'pymerkle');

const script = fileURLToPath(new URL('verify-receipt.py', import.meta.url));

/** @throws Error with what was wrong */
export function verifiedByPython(input: object): unknown {
  return JSON.parse(
    execFileSync(python, ['-W', 'ignore', script], { input: JSON.stringify(input) }).toString(),
  );
}
