import type { Tenant } from '../../domain/model.ts';
import type { KeptCodes, SealedDevice, StagedFactor } from '../../operations/ports/ports.ts';

export interface FoundDevices {
  /** The key of the devices: the id of a login method, or the caller's text. */
  readonly userKey: string;
  /** In the order in which they were created. */
  readonly devices: readonly SealedDevice[];
  readonly backupCodes: KeptCodes | undefined;
  /** An import has added devices that have yet to be sealed: the others are not all. */
  readonly hasUnsealed: boolean;
}

export interface NewDevice extends SealedDevice {
  readonly appNo: number;
  /** Any id of a user, or any other text. */
  readonly userId: string;
  /** ms since the epoch */
  readonly createdAt: number;
}

/** An attempt with a code. */
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
  /** Right codes that must not be accepted again yet. */
  readonly used: readonly string[];
  /** The id is a user's, but the user has no login method in this tenant. */
  readonly isElsewhere: boolean;
}

export interface SoughtCodes {
  readonly tenant: Tenant;
  readonly userId: string;
  /** The number of the newest. */
  readonly atMost: number;
  /** ms since the epoch */
  readonly now: number;
}

export interface NewCode {
  readonly tenant: Tenant;
  readonly userKey: string;
  /** The number after the last attempt that it was judged by. */
  readonly seq: number;
  /** Undefined when it was wrong. */
  readonly code: string | undefined;
  /** ms since the epoch */
  readonly now: number;
  readonly expiresAt: number;
  readonly keptUntil: number;
  /** The id of the device that the code verifies. */
  readonly verifies?: string;
  /** The remaining backup codes, when it is one of them. */
  readonly spends?: SpentCodes | undefined;
}

export interface SpentCodes {
  /** The codes that it was judged by: of several concurrent uses, one succeeds. */
  readonly former: string;
  readonly codes: KeptCodes;
}

/** Devices of an import, sealed. */
export interface SealedImport {
  readonly devices: readonly SealedDevice[];
  readonly backupCodes: KeptCodes | undefined;
  /** Notes for later imports what was stated. */
  readonly digest: string;
  /** ms since the epoch */
  readonly createdAt: number;
}

export interface TotpStore {
  devices(appNo: number, userId: string): Promise<FoundDevices>;
  codes(sought: SoughtCodes): Promise<FoundCodes>;
  /** Replaces an unverified device of this name. @returns false when there is a verified one */
  put(device: NewDevice): Promise<boolean>;
  rename(appNo: number, userId: string, from: string, to: string): Promise<'renamed' | 'unknown' | 'taken'>;
  /** With the last device the user's codes are removed, too. @returns whether it existed */
  remove(appNo: number, userId: string, name: string): Promise<boolean>;
  /**
   * @returns false when another code was stored in the meantime, the device to verify was removed, or the backup codes have
   *   changed
   */
  keepCode(code: NewCode): Promise<boolean>;
  /**
   * Replaces the devices of the user's last import by those in the user's details.
   * @param seal gets those, the names of the user's other devices and the former import's backup codes; may be called again
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
