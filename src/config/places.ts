import { firstPlaceName, isPlaceName, type PlaceAddress } from '../domain/app-place.ts';
import { cutUri } from './postgresql-uri.ts';
import { printable, SourceFault, SourceFields } from './sources/fields.ts';
import { type Listed, listIn, requireOwnNames } from './sources/list.ts';
import { readNamedFields, type SecretReader } from './sources/named-fields.ts';

const listed: Listed = {
  of: 'places',
  one: 'place',
  most: 100,
  fields: 'name and uri, uri_env or uri_file',
};

/**
 * Reads the places after the first one.
 * @param raw a list, or its JSON text as environment variables hold it
 * @throws SourceFault with the place's name and field, the problem and the cure; never with an address
 */
export function readPlaces(raw: unknown): readonly PlaceAddress[] {
  const places = listIn(raw, listed).map((each, at) => readPlace(each, at));
  requireOwnNames(places, listed);
  return places;
}

/** Replaces `uri_env` and `uri_file` by the address. */
export function withAddressesRead(raw: unknown, read: SecretReader): readonly unknown[] {
  return readNamedFields(listIn(raw, listed), { setting: 'places', one: 'place', field: 'uri' }, read);
}

function readPlace(written: unknown, at: number): PlaceAddress {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    throw new SourceFault(`place ${at + 1}: must be an object with ${listed.fields}`);
  const { name: given } = written as { readonly name?: unknown };
  const where = typeof given === 'string' && given !== '' ? `place '${printable(given)}'` : `place ${at + 1}`;
  const fields = new SourceFields(written as Readonly<Record<string, unknown>>, where);
  const name = fields.text('name');
  if (!isPlaceName(name))
    fields.fail(
      'name',
      `must be 1 to 63 small letters, digits and hyphens, and not '${firstPlaceName}', which is postgresql_connection_uri`,
    );
  const uri = fields.text('uri');
  const parts = cutUri(uri);
  if (!parts.ok) fields.fail('uri', parts.expected);
  fields.end();
  return { name, uri };
}
