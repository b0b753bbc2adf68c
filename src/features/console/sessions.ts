/**
 * Sessions of the console's pages: a cookie that no script can read, sealed with the core's encryption key, so that each core of a
 * group opens it and none stores it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { digest } from '../../domain/digests.ts';
import type { KeyHolder, KeyScope } from '../../domain/access/key-holder.ts';
import { withoutKey } from '../../domain/access/key-holder.ts';
import { Sealer, sealedPurposes } from '../../process/sealer.ts';
import { cookieName } from './model.ts';

/** A working day. */
const sessionMs = 12 * 3_600_000;
/** For how long a session of a dashboard user counts without a look at the database. */
const trustMs = 120_000;

/** What a cookie stands for. */
type Credential =
  | { readonly kind: 'key'; readonly digest: string }
  | {
      readonly kind: 'dashboard';
      readonly appId: string;
      readonly email: string;
      readonly sessionId: string;
      readonly checkedAt: number;
    }
  /** Of a core that requires no key. */
  | { readonly kind: 'open' };

/** Of a session, the same in each renewed cookie. */
interface Lasting {
  readonly until: number;
  /** So that all tabs go on with a renewed cookie. */
  readonly csrf: string;
  /** The page came by HTTPS. */
  readonly isSecure: boolean;
}

type Sealed = Credential & Lasting;

/** What an operator may do who has a password instead of a key: all that the pages do. */
const operatorScopes: ReadonlySet<KeyScope> = new Set<KeyScope>([
  'read',
  'import',
  'move',
  'admin',
  'sign-in',
  'metrics',
]);

export interface Keys {
  holderOf(key: string): KeyHolder | undefined;
  /** @param sha256 of the key */
  holderOfDigest(sha256: Buffer): KeyHolder | undefined;
}

export interface SessionParts {
  readonly sealer: Sealer;
  readonly keys: Keys;
  readonly requireApiKey: boolean;
  readonly now: () => number;
}

/** An opened session. */
export interface ConsoleSession extends Lasting {
  readonly holder: KeyHolder;
  /** For a dashboard user: its session, to look at again. */
  readonly operator?: { readonly appId: string; readonly email: string; readonly sessionId: string };
}

export class ConsoleSessions {
  readonly #parts: SessionParts;
  readonly #sealer: Sealer;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    // Without encryption keys a session is of this core alone, and ends with it.
    this.#sealer = parts.sealer.canSeal ? parts.sealer : new Sealer([randomBytes(32)]);
  }

  /** @returns the value of a cookie; undefined for a key that is not valid */
  beginWithKey(key: string | undefined, isSecure: boolean): string | undefined {
    const { keys, requireApiKey } = this.#parts;
    if (key === undefined)
      return requireApiKey ? undefined : this.#seal({ kind: 'open' }, this.#lasting(isSecure));
    if (keys.holderOf(key) === undefined) return undefined;
    return this.#seal({ kind: 'key', digest: digest(key).toString('base64url') }, this.#lasting(isSecure));
  }

  /**
   * For a dashboard user whose session was just found in the database.
   * @param before the session that this cookie renews, or how the page came @returns the value of a cookie
   */
  beginWithOperator(
    operator: NonNullable<ConsoleSession['operator']>,
    before: Lasting | Pick<Lasting, 'isSecure'>,
  ): string {
    const lasting = 'until' in before ? before : this.#lasting(before.isSecure);
    return this.#seal({ kind: 'dashboard', ...operator, checkedAt: this.#parts.now() }, lasting);
  }

  /**
   * @param isStale accepts a dashboard user's session that was not looked at for some time
   * @returns undefined without a valid session
   */
  open(cookies: string | undefined, isStale = false): ConsoleSession | undefined {
    const value = valueOf(cookies);
    const sealed = value === undefined ? undefined : this.#unseal(value);
    if (sealed === undefined) return undefined;
    const holder = this.#holderOf(sealed, isStale);
    if (holder === undefined) return undefined;
    const { csrf, until, isSecure } = sealed;
    const session = { holder, csrf, until, isSecure };
    if (sealed.kind !== 'dashboard') return session;
    const { appId, email, sessionId } = sealed;
    return { ...session, operator: { appId, email, sessionId } };
  }

  /** A request of a page. @param csrf of its header @param appId of its path */
  holderOf(cookies: string, csrf: string, appId: string): KeyHolder | undefined {
    const session = this.open(cookies);
    if (session === undefined || !isSame(session.csrf, csrf)) return undefined;
    // Operators are of one app; those of the public one look after all, as its keys do.
    const home = session.operator?.appId ?? 'public';
    return home === 'public' || home === appId ? session.holder : undefined;
  }

  #holderOf(sealed: Sealed, isStale: boolean): KeyHolder | undefined {
    const { keys, requireApiKey, now } = this.#parts;
    if (sealed.until <= now()) return undefined;
    if (sealed.kind === 'open') return requireApiKey ? undefined : withoutKey;
    if (sealed.kind === 'key') return keys.holderOfDigest(Buffer.from(sealed.digest, 'base64url'));
    if (!isStale && sealed.checkedAt + trustMs < now()) return undefined;
    return { name: `dashboard:${sealed.email}`, scopes: operatorScopes };
  }

  #lasting(isSecure: boolean): Lasting {
    return { until: this.#parts.now() + sessionMs, csrf: randomBytes(16).toString('hex'), isSecure };
  }

  #seal(credential: Credential, { until, csrf, isSecure }: Lasting): string {
    const sealed: Sealed = { ...credential, until, csrf, isSecure };
    return this.#sealer.seal(place, Buffer.from(JSON.stringify(sealed))).toString('base64url');
  }

  #unseal(value: string): Sealed | undefined {
    try {
      return JSON.parse(this.#sealer.open(place, Buffer.from(value, 'base64url')).toString()) as Sealed;
    } catch {
      return undefined;
    }
  }
}

const place = { purpose: sealedPurposes.consoleSession, appNo: 0, row: '' };

/** Of the first cookie of this name. */
function valueOf(cookies: string | undefined): string | undefined {
  const found = cookies?.split('; ').find((each) => each.startsWith(`${cookieName}=`));
  const value = found?.slice(cookieName.length + 1);
  return value === '' ? undefined : value;
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
