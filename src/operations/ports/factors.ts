/** Second factors of users as imports state them and as they are stored: imports, undos and exports have to do with them. */

/** How a device makes codes of its secret. */
export interface CodeShape {
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512';
  readonly digits: number;
}

export interface TotpDevice extends CodeShape {
  readonly name: string;
  /** Seconds. */
  readonly period: number;
  /** How many periods a clock may be ahead or behind. */
  readonly skew: number;
  readonly isVerified: boolean;
}

/** A device as it is kept. */
export interface SealedDevice extends TotpDevice {
  /** Another one with each secret, which is sealed for it. */
  readonly id: string;
  readonly sealedSecret: Uint8Array;
}

/** A verified device. */
export type ExportedDevice = Omit<SealedDevice, 'isVerified'>;

/** The backup codes of a user, sealed as one; another id with each change. */
export type KeptCodes = Pick<SealedDevice, 'id' | 'sealedSecret'>;

/** A device as a record states it. */
export interface ImportedDevice extends Partial<CodeShape> {
  /** A secret. */
  readonly secretKey: string;
  readonly deviceName?: string;
  readonly period?: number;
  readonly skew?: number;
}

/** A device that an import has sealed for the row that it becomes. */
export interface StagedDevice extends Omit<ImportedDevice, 'secretKey'> {
  readonly id: string;
  /** base64 */
  readonly sealed: string;
}

/** Backup codes that an import has sealed together, as KeptCodes. */
export interface StagedCodes {
  readonly id: string;
  /** base64 */
  readonly codes: string;
}

/** What imports have stored and is not a row yet; the first shows later imports what was stated. */
export type StagedFactor = { readonly digest: string } | StagedDevice | StagedCodes;
