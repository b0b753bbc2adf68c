import type { KeptCodes } from './factors.ts';

/** How many of each were sealed again. */
export interface Resealed {
  readonly signingKeys: number;
  /** Configurations of providers that tenants sign in by. */
  readonly providers: number;
  readonly totpDevices: number;
  /** TOTP secrets and backup codes in images of users, which undos bring back. */
  readonly images: number;
  /** Records with second factors that wait to be imported. */
  readonly records: number;
  /** Secrets in the settings of apps and tenants. */
  readonly settings: number;
}

/** One thing that is sealed, and where it stands: see Sealer. */
export interface SealedRow {
  readonly purpose: string;
  readonly appNo: number;
  readonly row: string;
  readonly sealed: Uint8Array;
}

export interface Resealing {
  /** Of the key to seal with: 8 hexadecimal digits. */
  readonly keyId: string;
  readonly again: (row: SealedRow) => Uint8Array;
  /** Whether a key is there that opens it. */
  readonly opens: (sealed: Uint8Array) => boolean;
}

export interface SealedStore {
  /** Seals again what is sealed with another key: all of it or nothing. */
  reseal(by: Resealing): Promise<Resealed>;
}

/** What an undo needs of the keys by which second factors are sealed. */
export interface FactorSeals {
  /** Whether a key of this core opens it. */
  readonly opens: (sealed: Uint8Array) => boolean;
  /**
   * Former backup codes for their return.
   * @param present those that take their place now; undefined for none
   * @returns the former ones; those that are spent in `present` stay spent
   */
  readonly returned: (appNo: number, former: KeptCodes, present: KeptCodes | undefined) => KeptCodes;
}
