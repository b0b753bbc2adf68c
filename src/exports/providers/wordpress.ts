/** WordPress: wp_users, and wp_usermeta if given. Column names are the same whatever the table prefix. */

import { wordpressDatabase } from './wordpress-database.ts';
import { carries, guards, hash, identifies, leftOut, withAbout } from '../fields/declare.ts';
import { ofTheRow } from '../fields/reasons.ts';
import type { Values } from '../fields/declare.ts';
import { convertAddressed } from './parts/addresses.ts';
import { recognisedBy } from './parts/marks.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { deletedOption, personOptions, type FoundPassword } from './parts/person.ts';
import { disabledIf } from './parts/sign-in-state.ts';
import { convertValues, relatedValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related } from './provider.ts';
import { factorOptions, wordpressFactors } from './wordpress-factors.ts';
import { miniOrangeFields, passwordForms, wordfenceFields } from './wordpress-fields.ts';
import { phpBcrypt } from './parts/way-back.ts';
import { passwordAsOption } from '../convert/transforms.ts';

const columns = [
  'ID',
  'user_login',
  'user_pass',
  'user_nicename',
  'user_email',
  'user_url',
  'user_registered',
  'user_activation_key',
  'user_status',
  'display_name',
];
/** The columns for one site, and for a network of sites. */
const orders = [columns, [...columns, 'spam', 'deleted']];

const userFields = {
  id: identifies.id('ID'),
  email: identifies.text('user_email'),
  password: hash.text('user_pass'),
  timeJoined: carries.time('user_registered'),
  username: carries.text('user_login'),
  name: carries.text('display_name'),
  website: carries.text('user_url'),
  status: withAbout(
    'WordPress writes 0; plug-ins write another number for spammers and users who wait for their activation',
    guards.number('user_status'),
  ),
  isSpam: withAbout('Of a network of sites', guards.evidence('spam')),
  isDeleted: withAbout('Of a network of sites', guards.evidence('deleted')),
  niceName: leftOut('It is the user name in addresses of the site', 'user_nicename'),
  activationKey: leftOut('It is of a link that was sent, and ends with the move', 'user_activation_key'),
} as const;

const metaFields = {
  userId: identifies.id('user_id'),
  key: guards.text('meta_key'),
  value: guards.text('meta_value'),
  id: leftOut(ofTheRow, 'umeta_id'),
} as const;

type User = Values<typeof userFields>;

export const wordpress: Provider = {
  name: 'wordpress',
  title: 'WordPress (wp_users)',
  about:
    'WordPress keeps no verified flag, so no email counts as verified, and no social identities. Roles, first and last names and second factors of plug-ins need wp_usermeta in a file of its own; those of Wordfence wp_wfls_2fa_secrets.',
  wayBack: { reads: 'bcrypt that PHP reads, and its own kinds', settings: phpBcrypt },
  tables: [
    table('users', userFields, {
      orders,
      sqlNames: ['*users'],
    }),
    table('usermeta', metaFields, {
      sqlNames: ['*usermeta'],
      flag: 'wordpress-usermeta',
      unseen: 'roles, names and the second factors of plug-ins such as Two Factor, WP 2FA and miniOrange',
    }),
    table('wordfence', wordfenceFields, {
      sqlNames: ['*wfls_2fa_secrets'],
      hasBytes: true,
      flag: 'wordpress-wordfence',
    }),
    table('miniorange', miniOrangeFields, {
      sqlNames: ['*mo2f_user_details'],
      flag: 'wordpress-miniorange',
    }),
  ],
  options: [...personOptions, deletedOption, ...factorOptions],
  database: wordpressDatabase,
  recognises: recognisedBy(userFields, { score: 10, all: ['username', 'password'] }),
  convert: convertValues(userFields, convert),
};

function convert(user: User, related: Related, options: ConvertOptions): Conversion {
  const { id, email, timeJoined, username, name, website, status = 0 } = user;
  const meta = metaOf(relatedValues(metaFields, related.usermeta));
  const wordfence = relatedValues(wordfenceFields, related.wordfence);
  const miniOrange = relatedValues(miniOrangeFields, related.miniorange);
  const person = {
    id,
    email,
    timeJoined,
    password: withTransforms(passwordOf(user.password), options),
    metadata: {
      username,
      name,
      website,
      first_name: meta.get('first_name'),
      last_name: meta.get('last_name'),
    },
    roles: rolesOf(meta),
    ...wordpressFactors({ meta, wordfence, miniOrange }, options),
    isDisabled: disabledIf(user.isSpam, status > 0 ? true : undefined),
    deleted: user.isDeleted === true ? 'deleted is 1' : undefined,
  };
  return convertAddressed(person, 'user_email', options);
}

/** A value of this length is compared as a plain MD5 (wp_check_password), which only hexadecimal digits can equal. */
const md5Characters = 32;

function passwordOf(text: string | undefined): FoundPassword | undefined {
  if (text === undefined) return undefined;
  if (text.length > md5Characters) return hashPassword('user_pass', text);
  return /^[0-9a-f]{32}$/.test(text) ? hashPassword('user_pass', text, 'md5') : undefined;
}

/** Unless others are stated for the whole file. */
function withTransforms(
  password: FoundPassword | undefined,
  options: ConvertOptions,
): FoundPassword | undefined {
  if (password === undefined || !('hash' in password) || options[passwordAsOption] !== undefined)
    return password;
  return { ...password, transforms: passwordForms };
}

function metaOf(rows: readonly Values<typeof metaFields>[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(({ key, value }) => (key === undefined || value === undefined ? [] : [[key, value]])),
  );
}

/** `a:1:{s:6:"editor";b:1;}`: PHP's serialize() of a map from roles to true. Only for the main site of a network. */
function rolesOf(meta: ReadonlyMap<string, string>): readonly string[] {
  const [, capabilities = ''] =
    [...meta].find(([key]) => /^[A-Za-z]\w*_capabilities$/.test(key) && !/_\d+_capabilities$/.test(key)) ??
    [];
  return [...capabilities.matchAll(/s:\d{1,3}:"([\w-]{1,64})";b:1;/g)].flatMap(([, role]) => role ?? []);
}
