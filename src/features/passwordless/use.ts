import type { Tenant } from '../../domain/model.ts';
import type { PasswordlessInputs } from './schema.ts';
import type { PasswordlessContext } from './context.ts';
import type { Contact, StoredDevice } from './model.ts';
import { invalid, isGiven, requireDeviceId, requireLinkCode } from './inputs.ts';
import { digest, linkCodeOf, preAuthSessionIdOf } from './secrets.ts';
import { countedGuess, type Guess } from '../../operations/sign-in/guess.ts';

export type UseCodeInput = PasswordlessInputs['useCode'];

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

/** A presented code, and the device that it must belong to. */
interface Presented {
  readonly device: StoredDevice;
  readonly linkHash: string;
  readonly isTyped: boolean;
}

const statuses = {
  wrong: 'INCORRECT_USER_INPUT_CODE_ERROR',
  expired: 'EXPIRED_USER_INPUT_CODE_ERROR',
} as const;

/** How a code is used. */
export interface CodeUsage {
  /** Whether a right code is consumed. */
  readonly consumes: boolean;
  /** Where it was typed, undefined when the backend does not report it. */
  readonly address: string | undefined;
}

/** @throws Refusal TOO_MANY_GUESSES */
export async function useCode(
  context: PasswordlessContext,
  tenant: Tenant,
  input: UseCodeInput,
  { consumes, address }: CodeUsage,
): Promise<UsedDevice> {
  const { settings } = tenant;
  const freshFrom = context.now() - settings.passwordlessCodeLifetimeMs;
  const presented = await find(context, tenant, input, freshFrom);
  if (presented === undefined) return { status: 'RESTART_FLOW_ERROR' };
  requireSame(presented.device, input.preAuthSessionId);
  const maxAttempts = settings.passwordlessMaxAttempts;
  const use = { tenant, ...presented, freshFrom, maxAttempts, consumes };
  const judge = () => context.passwordless.useCode(use);
  const judgeGuess = async (guess: Guess | undefined) => {
    await guess?.learn();
    return judge();
  };
  const { email, phoneNumber } = presented.device.contact;
  // Attempts are counted by device, and a new device is easy to get: so the contact's are counted like those at a password.
  const { appNo } = tenant;
  const guessedAt = { appNo, account: `code ${appNo} ${email ?? phoneNumber}`, address };
  const { outcome, failed } = presented.isTyped
    ? await countedGuess(context.throttle, guessedAt, judgeGuess, (used) => used.outcome === 'right')
    : await judge();
  if (outcome === 'restart') return { status: 'RESTART_FLOW_ERROR' };
  if (outcome === 'right') return { status: 'OK', consumedDevice: shown(presented.device, failed) };
  return {
    status: statuses[outcome],
    failedCodeInputAttemptCount: failed,
    maximumCodeInputAttempts: maxAttempts,
  };
}

/** The device does not change until it is removed, so it may be read before the code is judged. */
async function find(
  { passwordless }: PasswordlessContext,
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
