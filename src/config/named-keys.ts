import { digest } from '../domain/digests.ts';
import { keyScopes, type KeyScope, reservedNames } from '../domain/access/key-holder.ts';
import type { NamedKey } from '../process/keys/key-ring.ts';
import { printable, SourceFault, SourceFields } from './sources/fields.ts';
import { type Listed, listIn, requireOwnNames } from './sources/list.ts';
import { readNamedFields, type SecretReader } from './sources/named-fields.ts';

const listed: Listed = {
  of: 'keys',
  one: 'key',
  most: 100,
  fields: 'name, scopes and key, key_env or key_file',
};
const keyName = /^[A-Za-z0-9][\w.-]{0,62}$/;
const keyText = /^[\x21-\x2b\x2d-\x7e]{20,512}$/;

/**
 * @param raw a list, or its JSON text as environment variables hold it
 * @throws SourceFault with the key's name and field, the problem and the cure; never with a key
 */
export function readNamedKeys(raw: unknown): readonly NamedKey[] {
  const keys = listIn(raw, listed).map((each, at) => readKey(each, at));
  requireOwnNames(keys, listed);
  const all = keys.flatMap(({ name, digests }) =>
    digests.map((each) => [each.toString('hex'), name] as const),
  );
  const same = all.find(([hex], at) => all.findIndex(([other]) => other === hex) !== at);
  if (same !== undefined)
    throw new SourceFault(`key '${same[1]}': 'key' is listed twice: a key has one name and one entry`);
  return keys;
}

/** Replaces `key_env` and `key_file` by the key. */
export function withKeysRead(raw: unknown, read: SecretReader): readonly unknown[] {
  return readNamedFields(listIn(raw, listed), { setting: 'named_keys', one: 'key', field: 'key' }, read);
}

function readKey(written: unknown, at: number): NamedKey {
  if (!isObject(written))
    throw new SourceFault(`key ${at + 1}: must be an object with name, scopes and key, key_env or key_file`);
  const given = written.name;
  const where = typeof given === 'string' && given !== '' ? `key '${printable(given)}'` : `key ${at + 1}`;
  const fields = new SourceFields(written, where);
  const name = fields.text('name');
  if (!keyName.test(name) || reservedNames.includes(name))
    fields.fail(
      'name',
      `must be 1 to 63 letters, digits, dots, hyphens and underscores, and none of ${reservedNames.join(', ')}`,
    );
  const key = { name, scopes: scopesOf(fields), digests: digestsOf(fields) };
  fields.end();
  return key;
}

function scopesOf(fields: SourceFields): readonly KeyScope[] {
  const written = fields.texts('scopes');
  const scopes = keyScopes.filter((scope) => written.includes(scope));
  if (scopes.length !== new Set(written).size)
    fields.fail('scopes', `must list one or more of ${keyScopes.join(', ')}`);
  return scopes;
}

function digestsOf(fields: SourceFields): readonly Buffer[] {
  const keys = (fields.optionalTexts('key') ?? []).map((key) => key.trim());
  if (keys.length === 0) fields.fail('key', 'is missing: add it, or key_env or key_file');
  if (keys.some((key) => !keyText.test(key)))
    fields.fail('key', 'must be 20 to 512 printable ASCII characters without commas, or a list of such');
  return keys.map(digest);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
