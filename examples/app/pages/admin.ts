import { load } from './load.ts';
import { element } from './page.ts';
import { initSession } from './session.ts';

interface Orders {
  readonly orders: readonly string[];
}

function entry(text: string): HTMLElement {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}

initSession();
const found = (await load('/api/admin')) as Orders | undefined;
if (found) element('orders', HTMLElement).replaceChildren(...found.orders.map(entry));
