import type { Tenant } from '../../domain/model.ts';
import type { BodyInputs } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { Contact, StoredDevice } from '../ports/ports.ts';
import { invalid, isGiven, requireDeviceId, requireLinkCode } from './inputs.ts';
import { digest, linkCodeOf, preAuthSessionIdOf } from './secrets.ts';

export type UseCodeInput = BodyInputs['useCode'];

/** The device whose code was right. */
export type ConsumedDevice = Contact & {
  readonly preAuthSessionId: string;
  readonly failedCodeInputAttemptCount: number;
};

export type RefusedCode =
  | { readonly status: 'RESTART_FLOW_ERROR' }
  | {
      readonly status: 'INCORRECT_USER_INPUT_CODE_ERROR' | 'EXPIRED_USER_INPUT_CODE_ERROR';
      readonly failedCodeInputAttemptCount: number;
      readonly maximumCodeInputAttempts: number;
    };

export type UsedDevice = { readonly status: 'OK'; readonly consumedDevice: ConsumedDevice } | RefusedCode;

/** A code as it was presented, and the device that it must be of. */
interface Presented {
  readonly device: StoredDevice;
  readonly linkHash: string;
  readonly isTyped: boolean;
}

const statuses = {
  wrong: 'INCORRECT_USER_INPUT_CODE_ERROR',
  expired: 'EXPIRED_USER_INPUT_CODE_ERROR',
} as const;

/** @param consumes whether a right code is spent */
export async function useCode(
  context: OperationsContext,
  tenant: Tenant,
  input: UseCodeInput,
  consumes: boolean,
): Promise<UsedDevice> {
  const { settings } = tenant;
  const freshFrom = context.now() - settings.passwordlessCodeLifetimeMs;
  const presented = await find(context, tenant, input, freshFrom);
  if (presented === undefined) return { status: 'RESTART_FLOW_ERROR' };
  requireSame(presented.device, input.preAuthSessionId);
  const maxAttempts = settings.passwordlessMaxAttempts;
  const use = { tenant, ...presented, freshFrom, maxAttempts, consumes };
  const { outcome, failed } = await context.stores.passwordless.useCode(use);
  if (outcome === 'restart') return { status: 'RESTART_FLOW_ERROR' };
  if (outcome === 'right') return { status: 'OK', consumedDevice: shown(presented.device, failed) };
  return {
    status: statuses[outcome],
    failedCodeInputAttemptCount: failed,
    maximumCodeInputAttempts: maxAttempts,
  };
}

/** The device stays as it is until it goes, so it may be read before the code is judged. */
async function find(
  { stores: { passwordless } }: OperationsContext,
  tenant: Tenant,
  { linkCode, deviceId, userInputCode }: UseCodeInput,
  freshFrom: number,
): Promise<Presented | undefined> {
  if (isGiven(linkCode) === (isGiven(deviceId) && isGiven(userInputCode)))
    throw invalid('Please provide exactly one of linkCode or deviceId+userInputCode');
  if (isGiven(linkCode)) {
    const linkHash = digest(requireLinkCode(linkCode));
    const device = await passwordless.findDeviceByLink(tenant, linkHash, freshFrom);
    return device && { device, linkHash, isTyped: false };
  }
  const id = requireDeviceId(deviceId ?? '');
  const device = await passwordless.findDevice(tenant, digest(id));
  if (device === undefined) return undefined;
  return { device, linkHash: digest(linkCodeOf(id, device.salt, userInputCode ?? '')), isTyped: true };
}

function requireSame({ deviceHash }: StoredDevice, preAuthSessionId: string): void {
  if (preAuthSessionId.replace(/=+$/, '') !== preAuthSessionIdOf(deviceHash))
    throw invalid("preAuthSessionId and deviceId doesn't match");
}

function shown({ deviceHash, contact }: StoredDevice, failed: number): ConsumedDevice {
  const preAuthSessionId = preAuthSessionIdOf(deviceHash);
  return { preAuthSessionId, failedCodeInputAttemptCount: failed, ...contact };
}
