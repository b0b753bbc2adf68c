import type { SimpleRow } from './encode.ts';
import { StateDigest, statedText } from './known-chunks.ts';
import type { Seal } from './rows.ts';

/** What is sealed of a chunk's rows, gathered as they come. */
export class Sealing {
  readonly #state = new StateDigest();
  #tenantNo: number | undefined;
  #withExternal = false;
  #isAlike = true;

  add(row: SimpleRow): void {
    if (!this.#isAlike) return;
    const { record, tenantNo } = row;
    const withExternal = record.externalUserId !== undefined;
    if (this.#tenantNo === undefined) [this.#tenantNo, this.#withExternal] = [tenantNo, withExternal];
    this.#isAlike = tenantNo === this.#tenantNo && withExternal === this.#withExternal && !hasDetails(row);
    this.#state.add(textOf(row));
  }

  /** undefined when the rows are not alike, or have details, or there are none. */
  seal(): Omit<Seal, 'digest'> | undefined {
    if (this.#tenantNo === undefined || !this.#isAlike) return undefined;
    return {
      state: this.#state.hex(),
      tenantNo: this.#tenantNo,
      withExternal: this.#withExternal,
    };
  }
}

function hasDetails({ record: { metadata, roles, totpDevices } }: SimpleRow): boolean {
  return metadata !== undefined || roles !== undefined || totpDevices !== undefined;
}

function textOf({ record, method, identity }: SimpleRow): string {
  return statedText({
    recipe: Math.min(identity.kind, 3),
    verified: method.isVerified ? 't' : 'f',
    isPrimary: method.isPrimary ? 't' : undefined,
    email: method.email,
    passwordHash: method.passwordHash,
    thirdPartyId: method.thirdPartyId,
    thirdPartyUserId: method.thirdPartyUserId,
    phone: method.phoneNumber,
    externalId: record.externalUserId,
  });
}
