import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { TotpInputs } from './schema.ts';
import type { SealedDevice } from '../../operations/ports/ports.ts';
import type { FoundCodes, FoundDevices, SpentCodes } from './model.ts';
import { bytesOfBase32, type Clock, isCode } from '../../hashes/parts/one-time-code.ts';
import { findCode, openCodes, sealCodes, withSpent } from '../../operations/factors/backup-codes.ts';
import { findDevices, type TotpContext, type UnknownDevice } from './context.ts';
import { type Standing, standingOf } from './limit.ts';
import { openSecret } from '../../operations/factors/secret.ts';

interface Counted {
  readonly currentNumberOfFailedAttempts: number;
  readonly maxNumberOfFailedAttempts: number;
}
type Refused =
  | (Counted & { readonly status: 'INVALID_TOTP_ERROR' })
  | (Counted & { readonly status: 'LIMIT_REACHED_ERROR'; readonly retryAfterMs: number });

export interface CodeOperations {
  /** With a code of the device itself. */
  verifyDevice(
    tenant: Tenant,
    input: TotpInputs['verifyTotpDevice'],
  ): Promise<{ readonly status: 'OK'; readonly wasAlreadyVerified: boolean } | UnknownDevice | Refused>;
  /** With a code of any verified device, or with a backup code, which is consumed. */
  verify(
    tenant: Tenant,
    input: TotpInputs['verifyTotp'],
  ): Promise<{ readonly status: 'OK' | 'UNKNOWN_USER_ID_ERROR' } | Refused>;
}

export function codeOperations(context: TotpContext): CodeOperations {
  return {
    verifyDevice: (tenant, { userId, deviceName, totp }) =>
      untilKept(async () => {
        const found = await look(context, tenant, userId);
        const device = found.devices.find(({ name }) => name === deviceName);
        if (device === undefined || found.isElsewhere) return { status: 'UNKNOWN_DEVICE_ERROR' } as const;
        if (device.isVerified) return { status: 'OK', wasAlreadyVerified: true } as const;
        const refused = await judge(context, tenant, {
          ...found,
          devices: [device],
          code: totp,
          verifies: device.id,
        });
        return refused === 'accepted' ? { status: 'OK', wasAlreadyVerified: false } : refused;
      }),

    verify: (tenant, { userId, totp }) =>
      untilKept(async () => {
        const found = await look(context, tenant, userId);
        if (found.isElsewhere || (found.devices.length === 0 && found.backupCodes === undefined))
          return { status: 'UNKNOWN_USER_ID_ERROR' } as const;
        const refused = await judge(context, tenant, { ...found, code: totp });
        return refused === 'accepted' ? { status: 'OK' } : refused;
      }),
  };
}

/** Concurrent codes that may be stored before: each of them counts, so there are few before the limit applies. */
const maxRounds = 100;

/** Repeated when another code of the user was stored in the meantime. */
async function untilKept<Outcome>(attempt: () => Promise<Outcome | 'again'>): Promise<Outcome> {
  for (let round = 0; round < maxRounds; round++) {
    const outcome = await attempt();
    if (outcome !== 'again') return outcome;
  }
  throw new Refusal('OVERLOADED');
}

type Found = FoundDevices & FoundCodes;

async function look(context: TotpContext, tenant: Tenant, userId: string): Promise<Found> {
  const { totpMaxAttempts: atMost } = tenant.settings;
  const [devices, codes] = await Promise.all([
    findDevices(context, tenant.appNo, userId),
    context.totp.codes({ tenant, userId, atMost, now: context.now() }),
  ]);
  return { ...devices, ...codes };
}

const longestCode = 8;

interface Attempt {
  readonly code: string;
  /** The id of the device that the code is to verify. */
  readonly verifies?: string;
}

async function judge(
  context: TotpContext,
  tenant: Tenant,
  { code, verifies, ...found }: Found & Attempt,
): Promise<Refused | 'accepted' | 'again'> {
  const now = context.now();
  const { totpMaxAttempts: maxAttempts, totpCooldownMs: cooldownMs } = tenant.settings;
  const standing = standingOf(found.tried, { maxAttempts, cooldownMs }, now);
  const codes = verifies === undefined ? found.backupCodes : undefined;
  const isTooLong = code.length > (codes === undefined ? longestCode : longestBackupCode);
  if (standing.retryAfterMs !== undefined || isTooLong) return refusal(standing, maxAttempts);
  const device = deviceOf(context, tenant, { ...found, code, verifies, now });
  const spends = codes && device === undefined ? await spend(context, tenant, found, code) : undefined;
  const accepted = acceptedCode(found, { code, device, spends });
  const expiresAt = now + Math.max(0, ...(device ? [device] : found.devices).map(lifetimeMs));
  const kept = await context.totp.keepCode({
    tenant,
    userKey: found.userKey,
    now,
    expiresAt,
    keptUntil: expiresAt + cooldownMs,
    spends,
    seq: (found.tried[0]?.seq ?? 0) + 1,
    code: accepted,
    ...(accepted !== undefined && verifies !== undefined && { verifies }),
  });
  if (!kept) return 'again';
  return accepted === undefined ? refusal(standing, maxAttempts) : 'accepted';
}

/** The device that shows this code, verified or to be verified by it. */
function deviceOf(
  { sealer }: TotpContext,
  { appNo }: Tenant,
  {
    devices,
    code,
    verifies,
    now,
  }: FoundDevices & { readonly code: string; readonly verifies: string | undefined; readonly now: number },
): SealedDevice | undefined {
  const candidates = devices
    .filter(({ isVerified, id }) => isVerified || id === verifies)
    .slice(0, mostDevices);
  return candidates.find((each) =>
    isOf(openSecret(sealer, appNo, each), code, { ...each, skew: Math.min(each.skew, mostSkew), now }),
  );
}

/**
 * Whatever is stored, a code costs at most 32 times 21 HMACs on the event loop: some 8 ms at 12 µs each. A user may have devices
 * of an import (10 at most) in addition to those created here.
 */
const mostDevices = 32;
const mostSkew = 10;

interface Judged {
  readonly code: string;
  readonly device: SealedDevice | undefined;
  readonly spends: SpentCodes | undefined;
}

/** The stored form of a right code that was not used before; a backup code itself is not stored. */
function acceptedCode({ used }: Found, { code, device, spends }: Judged): string | undefined {
  if (spends !== undefined) return `backup ${spends.former}`;
  return device !== undefined && !used.includes(code) ? code : undefined;
}

/** Records may contain them with separators between their groups. */
const longestBackupCode = 128;

/** @returns the user's backup codes without this one; undefined when it is not one of them */
async function spend(
  { sealer, hasher, now }: TotpContext,
  { appNo, settings }: Tenant,
  { backupCodes, devices }: Found,
  code: string,
): Promise<SpentCodes | undefined> {
  if (backupCodes === undefined) return undefined;
  const codes = openCodes(sealer, appNo, backupCodes);
  const { signerKey, pepper, hashLimits: limits } = settings;
  const isOfDevice = devices.some(({ digits }) => digits === code.length) && /^\d+$/.test(code);
  const hash = await findCode(hasher, { signerKey, pepper, limits }, codes, { code, isOfDevice, appNo });
  if (hash === undefined) return undefined;
  return { former: backupCodes.id, codes: sealCodes(sealer, appNo, withSpent(codes, hash, now())) };
}

function isOf(secretKey: string, code: string, clock: Clock): boolean {
  const secret = bytesOfBase32(secretKey);
  return secret !== undefined && isCode(secret, code, clock);
}

/** How long one code is right. */
function lifetimeMs({ period, skew }: SealedDevice): number {
  return period * (2 * Math.min(skew, mostSkew) + 1) * 1000;
}

function refusal({ failed, retryAfterMs }: Standing, maxNumberOfFailedAttempts: number): Refused {
  if (retryAfterMs === undefined) {
    return {
      status: 'INVALID_TOTP_ERROR',
      currentNumberOfFailedAttempts: failed + 1,
      maxNumberOfFailedAttempts,
    };
  }
  return {
    status: 'LIMIT_REACHED_ERROR',
    retryAfterMs,
    currentNumberOfFailedAttempts: failed,
    maxNumberOfFailedAttempts,
  };
}
