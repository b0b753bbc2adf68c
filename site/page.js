/* The script of a documentation page: search, copy buttons, and contents that are open on wide screens. */
const main = document.querySelector('main');
const details = document.querySelector('nav.contents details');
const wide = matchMedia('(min-width: 60rem)');
const unfold = () => {
  details.open = wide.matches;
};
wide.addEventListener('change', unfold);
unfold();
const current = details.querySelector('[aria-current]');
// Only the list scrolls: scrollIntoView would move the page, too.
const nav = details.parentElement;
if (wide.matches && current) nav.scrollTop = current.offsetTop - nav.offsetTop - nav.clientHeight / 2;

// The input of a terminal session: the text after `$`, with the lines that a backslash continues.
const typed = (text) =>
  text.startsWith('$ ')
    ? [...text.matchAll(/^\$ ((?:.*\\\n)*.*)/gm)].map(([, command]) => command).join('\n')
    : text.trimEnd();

for (const pre of main.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(typed(pre.querySelector('code').textContent));
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  pre.replaceWith(frame);
  frame.append(pre, button);
}

const input = document.querySelector('.search input');
const list = document.querySelector('.search ol');
let index;
input.addEventListener('input', () => {
  // Loaded at the first letter: most visits do not search.
  index ??= MiniSearch.loadJSON(window.searchIndex, {
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'address'],
  });
  const found = index.search(input.value, { prefix: true, fuzzy: 0.15, boost: { title: 4, heading: 3 } });
  list.replaceChildren(...found.slice(0, 10).map(entry));
  list.hidden = input.value === '';
  if (input.value !== '' && found.length === 0) list.append(nothing());
});
input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') list.querySelector('a')?.click();
  if (event.key === 'Escape') list.hidden = true;
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) list.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === input) return;
  event.preventDefault();
  input.focus();
});

function entry({ title, heading, address }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = document.body.dataset.root + address;
  link.textContent = heading === '' ? title : `${title} › ${heading.replaceAll('`', '')}`;
  item.append(link);
  return item;
}

function nothing() {
  const item = document.createElement('li');
  item.textContent = 'Nothing found';
  return item;
}
