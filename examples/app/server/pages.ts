import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import type { Assets } from './bundle.ts';
import { layout } from './layout.ts';

const pages = [
  { path: '/', name: 'home', title: 'Your account' },
  { path: '/sign-in', name: 'sign-in', title: 'Sign in' },
  { path: '/auth/verify-email', name: 'verify-email', title: 'Verify your email' },
  { path: '/code', name: 'code', title: 'Second factor' },
  { path: '/callback', name: 'callback', title: 'Signing in' },
  { path: '/admin', name: 'admin', title: 'Orders' },
] as const;

const read = (name: string): string => readFileSync(new URL(`../pages/${name}`, import.meta.url), 'utf8');

/** Pages are the same for all users; their scripts ask the API for a user's data. */
export function addPages(app: Express, assets: Assets): void {
  for (const { path, name, title } of pages) {
    const page = layout({ title, main: read(`${name}.html`), script: `/assets/${name}.js` });
    app.get(path, (_request, response) => void response.type('html').send(page));
  }
  app.get('/favicon.ico', (_request, response) => void response.status(204).end());
  const style = read('style.css');
  app.get('/assets/style.css', (_request, response) => void response.type('css').send(style));
  app.get('/assets/:name', (request, response, next) => {
    const code = assets.get(request.params.name);
    if (code === undefined) next();
    else response.type('js').send(code);
  });
}
