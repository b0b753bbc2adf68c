import type { TotpContext } from './context.ts';
import { type DeviceOperations, deviceOperations } from './devices.ts';
import { type CodeOperations, codeOperations } from './verify.ts';

export type TotpOperations = DeviceOperations & CodeOperations;

/** Devices that make one-time codes, and the codes. */
export function totpOperations(context: TotpContext): TotpOperations {
  return { ...deviceOperations(context), ...codeOperations(context) };
}
