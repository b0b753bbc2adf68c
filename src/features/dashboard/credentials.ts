import { isEmail } from '../../domain/email.ts';

export interface InvalidEmail {
  readonly status: 'INVALID_EMAIL_ERROR';
}

export interface WeakPassword {
  readonly status: 'PASSWORD_WEAK_ERROR';
  readonly message: string;
}

/** Rules for a dashboard user's email and password. @returns undefined if the given values are valid */
export function faultOfCredentials(
  email: string | undefined,
  password: string | undefined,
): InvalidEmail | WeakPassword | undefined {
  if (email !== undefined && !isEmail(email)) return { status: 'INVALID_EMAIL_ERROR' };
  const message = password === undefined ? undefined : weaknessOf(password);
  return message === undefined ? undefined : { status: 'PASSWORD_WEAK_ERROR', message };
}

function weaknessOf(password: string): string | undefined {
  if (password.length < 8) return 'Password must contain at least 8 characters, including a number';
  if (password.length >= 100) return "Password's length must be lesser than 100 characters";
  if (!/[A-Za-z]/.test(password)) return 'Password must contain at least one alphabet';
  if (!/[0-9]/.test(password)) return 'Password must contain at least one number';
  return undefined;
}
