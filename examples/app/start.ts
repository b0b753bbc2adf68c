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
import { createProvider, type ProviderClient } from './stand-ins/provider.ts';

/** Imports the users and starts the app and the stand-in provider. The SDK stores its settings in the process: start only one. */
export async function startExample(settings: Settings): Promise<Listening> {
  await makeApp(settings);
  await importUsers(settings);
  const opened: Listening[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((each) => each.close()));
  };
  try {
    return { url: await openAll(settings, opened), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param opened receives parts to be closed, also if a later step fails @returns address of the app */
async function openAll(settings: Settings, opened: Listening[]): Promise<string> {
  const app = express();
  const website = await listen(app, settings.port, 'EXAMPLE_PORT');
  opened.push(website);
  const provider = await startProvider(website.url, settings.providerPort);
  opened.push(provider);
  const outbox = new Outbox();
  initSdk({ settings, website: website.url, provider: { ...provider, issuer: provider.url }, outbox });
  createApp(app, await bundlePages(), { outbox, phones: readPhones() });
  return website.url;
}

type ProviderSecrets = Pick<ProviderClient, 'clientId' | 'clientSecret'>;

/** The secret that the app and the provider share is made at each start. */
async function startProvider(website: string, port: number): Promise<Listening & ProviderSecrets> {
  const client = { clientId: 'example', clientSecret: randomBytes(24).toString('base64url') };
  let issuer = '';
  const app = await createProvider({ ...client, redirectUri: () => `${website}/callback` }, () => issuer);
  const listening = await listen(app, port, 'EXAMPLE_PROVIDER_PORT');
  issuer = listening.url;
  return { ...client, ...listening };
}
