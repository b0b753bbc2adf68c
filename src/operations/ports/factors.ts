/** Second factors as imports state them and as they are stored, for imports, undos and exports. */

/** Parameters of a device's codes. */
export interface CodeShape {
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512';
  readonly digits: number;
}

export interface TotpDevice extends CodeShape {
  readonly name: string;
  /** Seconds. */
  readonly period: number;
  /** Periods that a clock may be ahead or behind. */
  readonly skew: number;
  readonly isVerified: boolean;
}

/** A device as stored. */
export interface SealedDevice extends TotpDevice {
  /** Changes with each secret, which is sealed for it. */
  readonly id: string;
  readonly sealedSecret: Uint8Array;
}

/** A verified device. */
export type ExportedDevice = Omit<SealedDevice, 'isVerified'>;

/** The backup codes of a user, sealed together; the id changes with each change. */
export type KeptCodes = Pick<SealedDevice, 'id' | 'sealedSecret'>;

/** A device in a record. */
export interface ImportedDevice extends Partial<CodeShape> {
  /** A secret. */
  readonly secretKey: string;
  readonly deviceName?: string;
  readonly period?: number;
  readonly skew?: number;
}

/** A device, sealed by an import for its later row. */
export interface StagedDevice extends Omit<ImportedDevice, 'secretKey'> {
  readonly id: string;
  /** base64 */
  readonly sealed: string;
}

/** Backup codes, sealed together by an import, as KeptCodes. */
export interface StagedCodes {
  readonly id: string;
  /** base64 */
  readonly codes: string;
}

/** Factors that imports have stored and that are not rows yet; the first shows later imports what was stated. */
export type StagedFactor = { readonly digest: string } | StagedDevice | StagedCodes;
