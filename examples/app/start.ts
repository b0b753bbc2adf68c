import { randomBytes } from 'node:crypto';
import express from 'express';
import { importUsers, makeApp } from './core.ts';
import { createApp } from './server/app.ts';
import { bundlePages } from './server/bundle.ts';
import { listen, type Listening } from './server/listen.ts';
import { initSdk } from './server/sdk.ts';
import type { Settings } from './settings.ts';
import { Outbox } from './stand-ins/outbox.ts';
import { readPhones } from './stand-ins/phone.ts';
import { createProvider } from './stand-ins/provider.ts';

/** Imports the users and starts the app and the stand-in provider. The SDK keeps its settings in the process: start one. */
export async function startExample(settings: Settings): Promise<Listening> {
  await makeApp(settings);
  await importUsers(settings);
  const assets = await bundlePages();
  const app = express();
  const website = await listen(app, settings.port, 'EXAMPLE_PORT');
  const provider = await startProvider(website.url, settings.providerPort);
  const outbox = new Outbox();
  initSdk({ settings, website: website.url, provider, outbox });
  createApp(app, assets, { outbox, phones: readPhones() });
  return {
    url: website.url,
    async close() {
      await Promise.all([website.close(), provider.close()]);
    },
  };
}

/** The secret that the app and the provider share is made at each start. */
async function startProvider(website: string, port: number) {
  const client = { clientId: 'example', clientSecret: randomBytes(24).toString('base64url') };
  let issuer = '';
  const app = await createProvider({ ...client, redirectUri: () => `${website}/callback` }, () => issuer);
  const listening = await listen(app, port, 'EXAMPLE_PROVIDER_PORT');
  issuer = listening.url;
  return { ...client, issuer, close: () => listening.close() };
}
