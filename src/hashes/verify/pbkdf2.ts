import { pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import type { ParsedPbkdf2 } from '../kinds/pbkdf2.ts';

/** Whether `password` has this hash. Blocks for all iterations; the comparison takes constant time. */
export function verifyPbkdf2(
  { digest, iterations, salt, key }: ParsedPbkdf2<'pbkdf2' | 'pbkdf2_kratos' | 'aspnet'>,
  password: Buffer,
): boolean {
  return key.length > 0 && timingSafeEqual(pbkdf2Sync(password, salt, iterations, key.length, digest), key);
}
