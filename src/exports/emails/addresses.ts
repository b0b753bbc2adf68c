/** Digests of the records' emails, by which the command counts emails that belong to two users. */

import { digest } from '../../domain/digests.ts';
import type { NativeLoginMethod, NativeUser } from '../../imports/record/native-record.ts';
import type { Addresses } from '../tasks.ts';

/** By how a method is found. An email of one kind belongs to one user anyway: the core rejects the second record. */
const kinds = { emailpassword: 1, thirdparty: 2, passwordless: 4 } as const;

/** Collects the emails of a task's records. */
export class AddressList {
  readonly #digests: number[] = [];
  readonly #kinds: number[] = [];
  readonly #records: number[] = [];

  /** @param record its number, or its index in the task */
  add({ loginMethods }: NativeUser, record: number): void {
    const own = new Map<string, number>();
    for (const method of loginMethods) {
      const address = addressOf(method);
      if (address !== undefined) own.set(address, (own.get(address) ?? 0) | kinds[method.recipeId]);
    }
    for (const [address, kind] of own) {
      this.#digests.push(addressDigest(address));
      this.#kinds.push(kind);
      this.#records.push(record);
    }
  }

  get all(): Addresses {
    return {
      digests: Float64Array.from(this.#digests),
      kinds: Uint8Array.from(this.#kinds),
      records: Uint32Array.from(this.#records),
    };
  }
}

/** With its tenants: users sign in to each tenant separately. */
function addressOf({ email, tenantIds = ['public'] }: NativeLoginMethod): string | undefined {
  return email === undefined ? undefined : `${tenantIds.join()}:${email.trim().toLowerCase()}`;
}

/** 1 to 2^53 - 1 */
export function addressDigest(text: string): number {
  const bytes = digest(text);
  return bytes.readUInt32LE(0) * 2_097_152 + (bytes.readUInt32LE(4) >>> 11) || 1;
}
