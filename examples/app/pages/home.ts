import { load } from './load.ts';
import { element, onSubmit } from './page.ts';
import { initSession, signOut } from './session.ts';

interface Me {
  readonly userId: string;
  readonly emails: readonly string[];
  readonly roles: readonly string[];
  readonly tokenFrom: string;
  readonly tokenUntil: string;
}

async function show(): Promise<void> {
  const me = (await load('/api/me')) as Me | undefined;
  if (me) fill(me);
}

function fill({ userId, emails, roles, tokenFrom, tokenUntil }: Me): void {
  element('email', HTMLElement).textContent = emails.join(', ');
  element('user-id', HTMLElement).textContent = userId;
  element('roles', HTMLElement).textContent = roles.join(', ') || 'none';
  for (const [id, time] of [
    ['token-from', tokenFrom],
    ['token-until', tokenUntil],
  ] as const) {
    const shown = element(id, HTMLTimeElement);
    shown.dateTime = time;
    shown.textContent = new Date(time).toLocaleTimeString();
  }
  for (const id of ['account', 'again', 'sign-out']) element(id, HTMLElement).hidden = false;
}

initSession();
onSubmit('again', show);
onSubmit('sign-out', signOut);
await show();
