import type { Express } from 'express';
import type { Mail, Outbox } from '../stand-ins/outbox.ts';
import type { Phone } from '../stand-ins/phone.ts';
import { markup } from './markup.ts';
import { layout } from './layout.ts';

export interface StandIns {
  readonly outbox: Outbox;
  readonly phones: readonly Phone[];
}

/** Replaces a mailbox and a phone. A real app has neither page. */
export function addStandIns(app: Express, { outbox, phones }: StandIns): void {
  app.get('/stand-ins/outbox', (_request, response) => {
    response.setHeader('cache-control', 'no-store');
    response.send(layout({ title: 'Mails', main: `<h1>Mails</h1>${mailList(outbox.mails)}` }));
  });
  app.get('/stand-ins/phone', (_request, response) => {
    response.setHeader('cache-control', 'no-store');
    const main = `<h1>Phone</h1>${phones.map(phoneEntry).join('')}<p><a href="/stand-ins/phone">Show a new code</a></p>`;
    response.send(layout({ title: 'Phone', main }));
  });
}

function mailList(mails: readonly Mail[]): string {
  const about = '<p class="quiet">In place of a mailbox: what this app has sent, the newest first.</p>';
  if (mails.length === 0) return `${about}<p>No mails yet.</p>`;
  return `${about}<ul class="mails">${mails.map((mail) => `<li>${mailEntry(mail)}</li>`).join('')}</ul>`;
}

function mailEntry({ to, subject, text, link }: Mail): string {
  const action = link === undefined ? '' : markup`<p><a href="${link}">Verify this email</a></p>`;
  return `${markup`<p><strong>${subject}</strong><br />to ${to}</p>
    <p>${text}</p>`}${action}`;
}

const phoneEntry = ({ name, code }: Phone): string =>
  markup`<p>${name}, in place of a phone: its code of this moment</p>
    <p><output class="code">${code()}</output></p>`;
