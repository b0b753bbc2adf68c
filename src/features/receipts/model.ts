import type { JobRef } from '../../imports/model.ts';

/** The lines of one chunk. */
export interface LedgerRow {
  readonly linesBefore: number;
  /** SHA-256 of each line. */
  readonly digests: Uint8Array;
  /** A number for each line: see imports/ledger/outcomes.ts. */
  readonly outcomes: Uint8Array;
}

export interface StoredReceipt {
  /** JSON. */
  readonly envelope: string;
  /** A hash for each block of lines: see blocks.ts. */
  readonly blocks: Uint8Array;
}

export interface StoredKey {
  /** See keyNameOf. */
  readonly kid: string;
  /** ms since the epoch */
  readonly createdAt: number;
  readonly publicKey: Uint8Array;
  readonly sealedKey: Uint8Array;
}

export interface ReceiptStore {
  find(job: JobRef): Promise<StoredReceipt | undefined>;
  /** The first one stays. */
  keep(job: JobRef, receipt: StoredReceipt): Promise<void>;
  /** In the order of the file, from the row with the line after `linesBefore`. */
  ledger(job: JobRef, linesBefore: number, limit: number): Promise<readonly LedgerRow[]>;
  postgresqlVersion(job: JobRef): Promise<string>;
}

export interface ReceiptKeyStore {
  /** Newest first. */
  list(appNo: number): Promise<readonly StoredKey[]>;
  /** @param isFirst it is stored only if the app has none */
  add(appNo: number, key: StoredKey, isFirst: boolean): Promise<void>;
}
