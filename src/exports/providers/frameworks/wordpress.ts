/** WordPress: wp_users, and wp_usermeta where it is given. Column names are the same whatever the table prefix. */

import { convertAddressed } from '../parts/addresses.ts';
import { flagOf, textOf } from '../parts/fields.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { deletedOption, personOptions, type FoundPassword } from '../parts/person.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { timeOf } from '../parts/times.ts';
import { factorOptions, wordpressFactors } from './wordpress-factors.ts';
import { phpBcrypt } from '../parts/way-back.ts';
import { passwordAsOption } from '../../convert/transforms.ts';

const places = [{ format: 'csv' }, { format: 'json', path: [] }, { format: 'ndjson' }] as const;

const columns = [
  ...['ID', 'user_login', 'user_pass', 'user_nicename', 'user_email', 'user_url', 'user_registered'],
  ...['user_activation_key', 'user_status', 'display_name'],
];
/** Of one site, and of a network of sites. */
const orders = [columns, [...columns, 'spam', 'deleted']];

export const wordpress: Provider = {
  name: 'wordpress',
  title: 'WordPress (wp_users)',
  about:
    'WordPress keeps no verified flag, so no email counts as verified, and no social identities. Roles, first and last names and second factors of plug-ins need wp_usermeta in a file of its own; those of Wordfence wp_wfls_2fa_secrets.',
  wayBack: { reads: 'bcrypt that PHP reads, beside its own', settings: phpBcrypt },
  tables: [
    { name: 'users', places, orders, sqlNames: ['*users'], idOf: (row) => textOf(row.ID ?? row.id) },
    {
      name: 'usermeta',
      places,
      sqlNames: ['*usermeta'],
      idOf: (row) => textOf(row.user_id),
      flag: 'wordpress-usermeta',
      unseen: 'roles, names and the second factors of plug-ins such as Two Factor, WP 2FA and miniOrange',
    },
    {
      name: 'wordfence',
      places,
      sqlNames: ['*wfls_2fa_secrets'],
      hasBytes: true,
      idOf: (row) => textOf(row.user_id),
      flag: 'wordpress-wordfence',
    },
    {
      name: 'miniorange',
      places,
      sqlNames: ['*mo2f_user_details'],
      idOf: (row) => textOf(row.user_id),
      flag: 'wordpress-miniorange',
    },
  ],
  options: [...personOptions, deletedOption, ...factorOptions],
  recognises,
  convert,
};

function recognises({ format, columns, first }: Sample): number {
  const names = format === 'csv' ? columns : Object.keys(first);
  return names.includes('user_login') && names.includes('user_pass') ? 10 : 0;
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const { usermeta = [], wordfence = [], miniorange: miniOrange = [] } = related;
  const meta = metaOf(usermeta);
  const person = {
    id: textOf(row.ID ?? row.id),
    email: textOf(row.user_email),
    password: withTransforms(passwordOf(row.user_pass), options),
    timeJoined: timeOf(row.user_registered),
    metadata: {
      username: textOf(row.user_login),
      name: textOf(row.display_name),
      first_name: meta.get('first_name'),
      last_name: meta.get('last_name'),
      website: textOf(row.user_url),
    },
    roles: rolesOf(meta),
    ...wordpressFactors({ meta, wordfence, miniOrange }, options),
    // Both are of a network of sites only.
    isDisabled: flagOf(row.spam),
    deleted: flagOf(row.deleted) === true ? 'deleted is 1' : undefined,
  };
  return convertAddressed(person, 'user_email', options);
}

/** What is this short is compared as a plain MD5 (wp_check_password), which only hexadecimal digits can equal. */
const md5Characters = 32;

function passwordOf(value: unknown): FoundPassword | undefined {
  const hash = textOf(value);
  if (hash === undefined) return undefined;
  if (hash.length > md5Characters) return hashPassword('user_pass', hash);
  return /^[0-9a-f]{32}$/.test(hash) ? hashPassword('user_pass', hash, 'md5') : undefined;
}

/**
 * WordPress adds slashes to all that a form sends (wp_magic_quotes in wp-includes/load.php), and hashes and compares passwords
 * with them: wp_signon takes `$_POST['pwd']` as it is (wp-includes/user.php). It trims them in wp_authenticate and
 * wp_hash_password (wp-includes/pluggable.php). Plug-ins, WP-CLI and headless sites take the slashes off, so both forms are
 * stored side by side.
 */
const ofWordpress = 'slashed,trimmed|trimmed';

/** Unless others are stated for the whole file. */
function withTransforms(
  password: FoundPassword | undefined,
  options: ConvertOptions,
): FoundPassword | undefined {
  if (password === undefined || !('hash' in password) || options[passwordAsOption] !== undefined)
    return password;
  return { ...password, transforms: ofWordpress };
}

function metaOf(rows: readonly SourceRow[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap((row) => {
      const [key, value] = [textOf(row.meta_key), textOf(row.meta_value)];
      return key === undefined || value === undefined ? [] : [[key, value]];
    }),
  );
}

/** `a:1:{s:6:"editor";b:1;}`: PHP's serialize() of a map from roles to true. Only of the main site of a network. */
function rolesOf(meta: ReadonlyMap<string, string>): readonly string[] {
  const [, capabilities = ''] =
    [...meta].find(([key]) => /^[A-Za-z]\w*_capabilities$/.test(key) && !/_\d+_capabilities$/.test(key)) ??
    [];
  return [...capabilities.matchAll(/s:\d{1,3}:"([\w-]{1,64})";b:1;/g)].flatMap(([, role]) => role ?? []);
}
