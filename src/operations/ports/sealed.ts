import type { KeptCodes } from './factors.ts';

/** Numbers of resealed items. */
export interface Resealed {
  readonly signingKeys: number;
  /** Configurations of tenants' providers. */
  readonly providers: number;
  readonly totpDevices: number;
  /** TOTP secrets and backup codes in images of users, which undos restore. */
  readonly images: number;
  /** Queued records with second factors. */
  readonly records: number;
  /** Secrets in the settings of apps and tenants. */
  readonly settings: number;
}

/** A sealed item and its location; see Sealer. */
export interface SealedRow {
  readonly purpose: string;
  readonly appNo: number;
  readonly row: string;
  readonly sealed: Uint8Array;
}

export interface Resealing {
  /** Id of the key to seal with: 8 hexadecimal digits. */
  readonly keyId: string;
  readonly again: (row: SealedRow) => Uint8Array;
  /** @returns whether a key is there that opens it */
  readonly opens: (sealed: Uint8Array) => boolean;
}

export interface SealedStore {
  /** Reseals what is sealed with other keys, all or nothing. */
  reseal(by: Resealing): Promise<Resealed>;
}

/** Access of undos to the keys of second factors. */
export interface FactorSeals {
  /** @returns whether a key of this core opens it */
  readonly opens: (sealed: Uint8Array) => boolean;
  /**
   * Former backup codes, to be restored.
   * @param present the current ones, if any
   * @returns the former ones, in which codes that are spent in `present` are spent
   */
  readonly returned: (appNo: number, former: KeptCodes, present: KeptCodes | undefined) => KeptCodes;
}
