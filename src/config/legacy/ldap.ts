import type { LegacySource } from '../../domain/model.ts';
import { isLoopback } from './urls.ts';

/** Placeholder in a filter, replaced by the escaped login. */
export const loginPlace = '{login}';

const maxFilterLength = 1000;
/** One comparison. Other characters than ASCII appear as they are, never as escaped bytes. */
const comparison = /\([\w-]+(?:[~<>]?=|(?::[\w.-]+)*:=)(?:[^()\\]|\\[0-7][\da-f])*\)/gi;
const combination = /\([&|]#+\)|\(!#\)/g;

/** @returns a problem with the field and the cure, if any */
export function faultOfLdap(url: string, options: LegacySource['options']): string | undefined {
  return (
    faultOfUrl(url, options.starttls) ??
    faultOfName(options) ??
    faultOfFilter(options.filter ?? '') ??
    faultOfAttributes(options)
  );
}

function faultOfUrl(url: string, starttls: string | undefined): string | undefined {
  if (!URL.canParse(url) || !/^ldaps?:\/\/[^/]/i.test(url))
    return "'url' must be a URL such as ldaps://ldap.example.com, or ldap://ldap.example.com for STARTTLS";
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(url);
  if (username !== '' || password !== '')
    return "'url' must not hold a user or password: use bind_dn for them";
  if (pathname.length > 1 || search !== '' || hash !== '')
    return "'url' must end with the host or port: give what is searched as base_dn and filter";
  if (starttls !== 'require' && starttls !== 'off') return "'starttls' must be one of require, off";
  if (starttls === 'require' || protocol === 'ldaps:' || isLoopback(hostname)) return undefined;
  return "'starttls' off would send passwords in the clear: leave it out, or use ldaps:// (only a loopback address may be asked so)";
}

function faultOfName({ bind_dn: account = '', base_dn: base = '' }: LegacySource['options']) {
  if (!/[=@\\]/.test(account))
    return "'bind_dn' must be the DN of a service account, such as cn=carryover,dc=example,dc=com";
  return base.includes('=') ? undefined : "'base_dn' must be a DN, such as ou=people,dc=example,dc=com";
}

function faultOfFilter(filter: string): string | undefined {
  if (filter.length > maxFilterLength)
    return `'filter' must not be longer than ${maxFilterLength} characters`;
  const whole = filter.startsWith('(') ? filter : `(${filter})`;
  if (!/=[^()]*\{login\}/.test(filter))
    return `'filter' must have ${loginPlace} where the login is compared, such as (mail=${loginPlace})`;
  return isFilter(whole)
    ? undefined
    : "'filter' must be an LDAP filter such as (&(objectClass=person)(mail={login})), its parentheses in pairs";
}

/** Works from the inside out: each well-formed part becomes `#`. */
function isFilter(filter: string): boolean {
  if (filter.replaceAll(comparison, '').includes('#')) return false;
  let rest = filter.replaceAll(comparison, '#');
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(combination, '#');
  }
  return rest === '#';
}

function faultOfAttributes(options: LegacySource['options']): string | undefined {
  const keys = ['id_attribute', 'email_attribute', 'name_attributes'] as const;
  const bad = keys.find((key) =>
    attributesIn(options[key]).some((name) => !/^[a-z][\w.;-]{0,63}$/i.test(name)),
  );
  return (
    bad &&
    `'${bad}' must name attributes of the entry, such as mail${bad === 'name_attributes' ? ' or cn, sn' : ''}`
  );
}

export function attributesIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(',').map((name) => name.trim());
}
