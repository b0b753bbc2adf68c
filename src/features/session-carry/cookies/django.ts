import { createHash, createHmac } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { SignedCookieSource } from '../../../domain/model.ts';
import { CarryRefused } from '../refused.ts';
import { type CookieSession, cookieValue, isSame, jsonFields } from './values.ts';

const salt = 'django.contrib.sessions.backends.signed_cookies';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^(\.?)([\w-]+):([0-9A-Za-z]{1,9}):([\w-]{43})$/;
const mostBytes = 65_536;

/** Django's signed_cookies, from 3.1 on: payload, time in base 62 and an HMAC-SHA-256 over both. */
export function openDjango({ secrets, cookie }: SignedCookieSource, token: string): CookieSession {
  const value = cookieValue(token, cookie) ?? token;
  const [, isCompressed, payload = '', time = '', signature = ''] = form.exec(value) ?? [];
  if (payload === '') throw new CarryRefused('not-a-token');
  const signed = value.slice(0, value.lastIndexOf(':'));
  const given = Buffer.from(signature, 'base64url');
  if (!secrets.some((secret) => isSame(signatureOf(secret, signed), given)))
    throw new CarryRefused('signature');
  const bytes = Buffer.from(payload, 'base64url');
  const session = jsonFields(isCompressed === '.' ? inflated(bytes) : bytes);
  return { session, fingerprint: signed, issuedAt: secondsOf(time) * 1000 };
}

function signatureOf(secret: string, signed: string): Buffer {
  const key = createHash('sha256').update(`${salt}signer${secret}`).digest();
  return createHmac('sha256', key).update(signed).digest();
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: mostBytes });
  } catch {
    throw new CarryRefused('not-a-token');
  }
}

function secondsOf(text: string): number {
  let sum = 0;
  for (const digit of text) sum = sum * 62 + digits.indexOf(digit);
  return sum;
}
