/**
 * A small OpenID Connect provider instead of Google and the like, so that the example needs no account anywhere. It asks for no
 * password: visitors choose an account.
 */
import express, { type Express, type Request } from 'express';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { markup } from '../server/markup.ts';
import { Grants } from './grants.ts';
import { people, type Person } from './people.ts';

export interface ProviderClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The only address to which it redirects. */
  readonly redirectUri: () => string;
}

/** @param issuer its own address, known once it listens */
export async function createProvider(client: ProviderClient, issuer: () => string): Promise<Express> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'stand-in', alg: 'RS256', use: 'sig' };
  const grants = new Grants();
  const app = express().use(express.urlencoded({ extended: false }));
  app.get('/.well-known/openid-configuration', (_request, response) => {
    response.json(discovery(issuer()));
  });
  app.get('/jwks', (_request, response) => {
    response.json({ keys: [key] });
  });
  app.get('/authorize', (request, response) => {
    const fault = faultOf(request, client);
    response.status(fault ? 400 : 200).send(fault ?? choice(request));
  });
  app.post('/authorize', (request, response) => {
    const person = people.find(({ sub }) => sub === bodyOf(request).sub);
    const fault = person ? faultOf(request, client) : 'sub: no person has this id';
    if (!person || fault) return void response.status(400).send(fault);
    const asked = { redirectUri: client.redirectUri(), codeChallenge: queryOf(request, 'code_challenge') };
    const back = new URL(asked.redirectUri);
    back.searchParams.set('code', grants.open(person, asked));
    back.searchParams.set('state', queryOf(request, 'state'));
    response.redirect(303, back.href);
  });
  app.post('/token', async (request, response) => {
    const { client_id: id, client_secret: secret, code = '', redirect_uri: uri = '' } = bodyOf(request);
    if (id !== client.clientId || secret !== client.clientSecret)
      return void response.status(401).json({ error: 'invalid_client' });
    const person = grants.redeem(code, uri, bodyOf(request).code_verifier ?? '');
    if (!person) return void response.status(400).json({ error: 'invalid_grant' });
    const token = await new SignJWT({ name: person.name, email: person.email, email_verified: true })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .setIssuer(issuer())
      .setAudience(client.clientId)
      .setSubject(person.sub)
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(privateKey);
    response.json({ token_type: 'Bearer', expires_in: 300, id_token: token });
  });
  return app;
}

/** OpenID Connect Discovery 1.0. */
const discovery = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
});

/** The fault of an app's request. It never redirects to an address that was not registered. */
function faultOf(request: Request, { clientId, redirectUri }: ProviderClient): string | undefined {
  if (queryOf(request, 'client_id') !== clientId) return 'client_id: no such app is known here';
  if (queryOf(request, 'redirect_uri') !== redirectUri()) return `redirect_uri: give ${redirectUri()}`;
  if (queryOf(request, 'code_challenge_method') !== 'S256') return 'code_challenge_method: give S256';
  return undefined;
}

function queryOf({ query }: Request, name: string): string {
  const given = query[name];
  return typeof given === 'string' ? given : '';
}

const bodyOf = ({ body }: Request): Readonly<Record<string, string>> =>
  (body ?? {}) as Readonly<Record<string, string>>;

const button = ({ sub, name, email }: Person): string =>
  markup`<button name="sub" value="${sub}"><strong>${name}</strong> ${email}</button>`;

const choice = (request: Request): string =>
  `<!doctype html><html lang="en"><title>Example ID</title>
  <meta name="viewport" content="width=device-width" /><link rel="icon" href="data:," />
  <style>body{font:100%/1.6 system-ui;max-width:22rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}
  button{display:block;width:100%;margin:.5rem 0;padding:.7rem;font:inherit;text-align:left}</style>
  <h1>Example ID</h1><p>This stands in for Google and the like. Who are you?</p>
  ${markup`<form method="post" action="${request.originalUrl}">`}${people.map(button).join('')}</form></html>`;
