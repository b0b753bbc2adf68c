/** The options of each dialect in `legacy_sources`, in addition to the URL. */
import type { LegacyDialect, LegacySource } from '../../domain/model.ts';
import { faultOfLdap } from './ldap.ts';

export interface DialectOption {
  /** A short description for messages and the reference. */
  readonly what: string;
  readonly isRequired?: true;
  /** May be read from the environment or a file: `<name>_env`, `<name>_file`. */
  readonly isSecret?: true;
  readonly default?: string;
  readonly words?: readonly string[];
}

export interface DialectSettings {
  /** The resource that the URL addresses. */
  readonly url: string;
  readonly defaultUrl?: string;
  readonly options: Readonly<Record<string, DialectOption>>;
  /** Returns a problem with URL and options, with the field; absent if the URL is an HTTP one. */
  readonly fault?: (url: string, options: LegacySource['options']) => string | undefined;
}

const header = {
  header_name: { what: 'the header by which the old system knows the core', default: 'authorization' },
  header_value: { what: 'what that header holds', isSecret: true },
} as const;

const client = {
  client_id: { what: "the application's client id", isRequired: true },
  client_secret: { what: 'its client secret, where it has one', isSecret: true },
} as const;

export const dialects: Readonly<Record<LegacyDialect, DialectSettings>> = {
  kratos: { url: 'the password migration hook', options: header },
  okta: { url: 'the password import inline hook', options: header },
  'keycloak-migration': {
    url: 'the REST endpoint of the user migration plugin, to which /{username} is added',
    options: {
      check_by: {
        what: "what stands in the password check's path, as the plugin was set up",
        default: 'id',
        words: ['id', 'username'],
      },
      token: { what: 'the bearer token that the endpoint asks for', isSecret: true },
      username: { what: 'for HTTP Basic instead of a token' },
      password: { what: 'for HTTP Basic instead of a token', isSecret: true },
    },
  },
  fusionauth: {
    url: 'the authentication URL of a generic connector',
    options: {
      ...header,
      application_id: { what: 'the applicationId of the requests', default: '' },
    },
  },
  auth0: {
    url: 'the tenant, https://<tenant>.auth0.com, or its own domain',
    options: {
      ...client,
      connection: { what: 'the database connection that holds the users', isRequired: true },
      audience: { what: 'the audience of the token, where the tenant has no default one' },
    },
  },
  keycloak: { url: 'the realm, https://<host>/realms/<realm>', options: client },
  cognito: { url: 'the endpoint, https://cognito-idp.<region>.amazonaws.com', options: client },
  firebase: {
    url: 'the Identity Toolkit',
    defaultUrl: 'https://identitytoolkit.googleapis.com',
    options: { api_key: { what: "the project's web API key", isRequired: true, isSecret: true } },
  },
  b2c: {
    url: "the ROPC policy's token endpoint, https://<tenant>.b2clogin.com/<tenant>.onmicrosoft.com/<policy>/oauth2/v2.0/token",
    options: client,
  },
  entra: {
    url: 'the token endpoint, https://login.microsoftonline.com/<tenant>/oauth2/v2.0/token',
    options: client,
  },
  ldap: {
    url: 'the directory, ldaps://<host>, or ldap://<host> for STARTTLS',
    options: {
      bind_dn: { what: 'the DN of a service account that may search', isRequired: true },
      bind_password: { what: 'its password', isRequired: true, isSecret: true },
      base_dn: { what: 'the DN under which users are searched', isRequired: true },
      filter: { what: 'the filter that finds the one entry of a login', default: '(mail={login})' },
      starttls: { what: 'whether ldap:// switches to TLS, require or off', default: 'require' },
      id_attribute: { what: "the attribute that holds the user's id" },
      email_attribute: { what: 'the attribute that holds the email', default: 'mail' },
      name_attributes: {
        what: 'attributes that become metadata, between commas',
        default: 'displayName, givenName, sn',
      },
    },
    fault: faultOfLdap,
  },
  http: {
    url: 'an endpoint of your own',
    options: {
      hmac_secret: { what: 'the key that signs requests', isRequired: true, isSecret: true },
    },
  },
};

export const dialectNames = Object.keys(dialects) as readonly LegacyDialect[];
