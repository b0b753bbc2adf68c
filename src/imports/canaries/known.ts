import { type CodeCanary, requireCodes } from './codes.ts';
import { type Canary, type CanarySettings, type Examine, requireCanaries } from './passwords.ts';

/** Known codes and passwords, verified before a job is created. */
export interface KnownSecrets {
  readonly passwords?: readonly Canary[] | undefined;
  readonly codes?: readonly CodeCanary[] | undefined;
}

/** @throws Refusal as requireCodes and requireCanaries */
export async function requireKnown(
  examine: Examine,
  settings: CanarySettings,
  { passwords = [], codes = [] }: KnownSecrets,
): Promise<void> {
  requireCodes(codes);
  if (passwords.length > 0) await requireCanaries(examine, settings, passwords);
}
