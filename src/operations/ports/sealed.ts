/** How many of each were sealed anew. */
export interface Resealed {
  readonly signingKeys: number;
  /** Configurations of providers that tenants sign in by. */
  readonly providers: number;
  readonly totpDevices: number;
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
}

export interface SealedStore {
  /** Seals anew what is sealed with another key: all of it or nothing. */
  reseal(by: Resealing): Promise<Resealed>;
}
