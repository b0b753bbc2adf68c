import type { Tenant } from '../../domain/model.ts';
import type { KeptCodes, SealedDevice, StagedFactor } from '../../operations/ports/ports.ts';

export interface FoundDevices {
  /** What the devices are kept by: the id of a login method, or the caller's text. */
  readonly userKey: string;
  /** In the order in which they were made. */
  readonly devices: readonly SealedDevice[];
  readonly backupCodes: KeptCodes | undefined;
  /** An import has brought devices that have yet to be sealed: the others are not all. */
  readonly hasUnsealed: boolean;
}

export interface NewDevice extends SealedDevice {
  readonly appNo: number;
  /** Any id of a user, or any other text. */
  readonly userId: string;
  /** ms since the epoch */
  readonly createdAt: number;
}

/** A code that was tried. */
export interface TriedCode {
  /** Counts up for each user. */
  readonly seq: number;
  readonly isRight: boolean;
  /** ms since the epoch */
  readonly at: number;
}

export interface FoundCodes {
  /** The newest first. */
  readonly tried: readonly TriedCode[];
  /** Right codes that are not to be taken again yet. */
  readonly used: readonly string[];
  /** The id is a user's, and the user has no login method in this tenant. */
  readonly isElsewhere: boolean;
}

export interface SoughtCodes {
  readonly tenant: Tenant;
  readonly userId: string;
  /** How many of the newest. */
  readonly atMost: number;
  /** ms since the epoch */
  readonly now: number;
}

export interface NewCode {
  readonly tenant: Tenant;
  readonly userKey: string;
  /** The next one to those that it was judged by. */
  readonly seq: number;
  /** Undefined when it was wrong. */
  readonly code: string | undefined;
  /** ms since the epoch */
  readonly now: number;
  readonly expiresAt: number;
  readonly keptUntil: number;
  /** The id of the device that the code verifies. */
  readonly verifies?: string;
  /** The backup codes afterwards, when it is one of them. */
  readonly spends?: SpentCodes | undefined;
}

export interface SpentCodes {
  /** Of those that it was judged by: of several that spend at once, one does. */
  readonly former: string;
  readonly codes: KeptCodes;
}

/** Devices of an import, sealed. */
export interface SealedImport {
  readonly devices: readonly SealedDevice[];
  readonly backupCodes: KeptCodes | undefined;
  /** Records for later imports what was stated. */
  readonly digest: string;
  /** ms since the epoch */
  readonly createdAt: number;
}

export interface TotpStore {
  devices(appNo: number, userId: string): Promise<FoundDevices>;
  codes(sought: SoughtCodes): Promise<FoundCodes>;
  /** Takes the place of a device of this name that is not verified. @returns false when there is a verified one */
  put(device: NewDevice): Promise<boolean>;
  rename(appNo: number, userId: string, from: string, to: string): Promise<'renamed' | 'unknown' | 'taken'>;
  /** With the last device the user's codes go, too. @returns whether it was there */
  remove(appNo: number, userId: string, name: string): Promise<boolean>;
  /**
   * @returns false when another code was kept meanwhile, the device to verify is not there any more, or the backup codes have
   * changed
   */
  keepCode(code: NewCode): Promise<boolean>;
  /**
   * Replaces the devices of the user's last import by those that the user's details hold.
   * @param seal gets those, the names of the user's other devices and what the last import left of backup codes; may be called again
   */
  sealImported(
    appNo: number,
    userKey: string,
    seal: (
      stated: readonly StagedFactor[],
      taken: readonly string[],
      codes: KeptCodes | undefined,
    ) => SealedImport,
  ): Promise<void>;
}
