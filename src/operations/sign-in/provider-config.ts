import { Refusal } from '../../domain/errors.ts';
import type { PutProviderInput } from '../../schema/requests.ts';

export type GivenProvider = PutProviderInput['config'];
type Client = NonNullable<GivenProvider['clients']>[number];
type Fields = Readonly<Record<string, unknown>>;

/** A provider as it is stored and returned. Absent fields are left out; null occurs only inside objects. */
export interface ProviderConfig {
  readonly thirdPartyId: string;
  readonly clients: readonly Fields[];
  readonly userInfoMap: { readonly fromIdTokenPayload: Fields; readonly fromUserInfoAPI: Fields };
  readonly [field: string]: unknown;
}

/** @throws Refusal INVALID_FIELD if the provider has no id */
export function providerConfig({
  thirdPartyId,
  clients,
  userInfoMap,
  ...others
}: GivenProvider): ProviderConfig {
  const id = thirdPartyId?.trim() ?? '';
  if (id === '') throw invalid('thirdPartyId cannot be null or empty');
  return {
    thirdPartyId: id,
    ...present(others),
    clients: (clients ?? []).map(present),
    userInfoMap: {
      fromIdTokenPayload: present(fieldsOf(userInfoMap, 'fromIdTokenPayload')),
      fromUserInfoAPI: present(fieldsOf(userInfoMap, 'fromUserInfoAPI')),
    },
  };
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function fieldsOf(from: unknown, name: string): Fields {
  if (typeof from !== 'object' || from === null || !Object.hasOwn(from, name)) return {};
  const value: unknown = (from as Fields)[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** @throws Refusal INVALID_FIELD if the SDK could not use the provider */
export function requireProvider({ thirdPartyId, clients }: GivenProvider): void {
  const types = (clients ?? []).map(({ clientType }) => clientType ?? null);
  if (new Set(types).size < types.length)
    throw invalid('Duplicate clientType was specified in the clients list.');
  for (const client of clients ?? []) requireClient(thirdPartyId?.trim() ?? '', client);
}

function requireClient(provider: string, { clientId, scope, additionalConfig }: Client): void {
  if (clientId === undefined || clientId === null) throw invalid('clientId cannot be null');
  if (scope?.some((each) => each === null) === true) throw invalid('scope array cannot contain a null');
  const additional: Fields = additionalConfig ?? {};
  const isText = (name: string) => typeof additional[name] === 'string' && additional[name] !== '';
  const isWrong = (name: string) => Object.hasOwn(additional, name) && !isText(name);
  if (provider.startsWith('apple') && !['keyId', 'teamId', 'privateKey'].every(isText))
    throw invalid(
      'a non empty string value must be specified for keyId, teamId and privateKey in the additionalConfig for Apple provider',
    );
  if (provider.startsWith('google-workspaces') && isWrong('hd'))
    throw invalid('hd in additionalConfig must be a non empty string value');
  if (provider.startsWith('boxy-saml') && isWrong('boxyURL'))
    throw invalid(
      'a non empty string value must be specified for boxyURL in the additionalConfig for Boxy SAML provider',
    );
}

function invalid(what: string): Refusal {
  return new Refusal('INVALID_FIELD', `Invalid third party config: ${what}`);
}
