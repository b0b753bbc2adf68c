import { namePattern, reservedWords } from '../../schema/names.ts';

/** App and tenant in a path, lower-cased; they may not exist. */
export interface TenantNames {
  readonly appId: string;
  readonly tenantId: string;
}

export interface ParsedPath extends TenantNames {
  /** The rest, lower-cased, without a trailing slash: `/recipe/signin` */
  readonly endpoint: string;
}

const reserved: ReadonlySet<string> = new Set(reservedWords);
const namePrefix = 'appid-';
/** Without the flag `u`, so that the Kelvin sign does not match k. */
const nameForm = new RegExp(namePattern, 'i');
const visibleAscii = /^[\x21-\x7e]*$/;

/** Reads `/[appid-<appId>/][<tenantId>/]<endpoint>`. @returns undefined for an invalid path */
export function parsePath(path: string): ParsedPath | undefined {
  if (path === '/') return { appId: 'public', tenantId: 'public', endpoint: '/' };
  const segments = decodeSegments(path);
  if (segments === undefined) return undefined;
  let appId = 'public';
  let tenantId = 'public';
  let next = 0;
  const first = segments[0] ?? '';
  if (first.startsWith(namePrefix)) {
    appId = first.slice(namePrefix.length);
    if (!nameForm.test(appId)) return undefined;
    next++;
  }
  const word = segments[next] ?? '';
  if (!reserved.has(word)) {
    tenantId = word;
    if (!nameForm.test(tenantId)) return undefined;
    next++;
  }
  // The name of a tenant alone is not the root.
  if (next === segments.length) return undefined;
  return { appId, tenantId, endpoint: `/${segments.slice(next).join('/')}` };
}

/**
 * Splits before decoding, so that an encoded slash adds no segment; segments with one, or with anything but visible ASCII, match
 * nothing. Only ASCII is lower-cased.
 */
function decodeSegments(path: string): string[] | undefined {
  const bare = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  const plain = bare.includes('%') ? decodeEach(bare) : bare;
  return plain !== undefined && visibleAscii.test(plain) ? plain.toLowerCase().split('/') : undefined;
}

function decodeEach(path: string): string | undefined {
  const segments = path.split('/').map(decodeSegment);
  return segments.some((segment) => segment === undefined || segment.includes('/'))
    ? undefined
    : segments.join('/');
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** True for a path that names neither app nor tenant. */
export function isPublic({ appId, tenantId }: TenantNames): boolean {
  return appId === 'public' && tenantId === 'public';
}
