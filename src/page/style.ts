import { colours, type Scheme } from './look.ts';

function variables(scheme: Scheme): string {
  const { ink, softInk, line, surface } = colours[scheme];
  const more =
    scheme === 'light'
      ? '--tint: #f5f6f8; --kept: #00694d; --broken: #a83f00; --link: #005a8c;'
      : '--tint: #1c2026; --kept: #4fc9a4; --broken: #ff9d5c; --link: #7cc4f0;';
  return `color-scheme: ${scheme}; --ink: ${ink}; --soft: ${softInk}; --line: ${line}; --surface: ${surface}; ${more}`;
}

/** px of the window from which the wide pictures fit with readable text. */
const wideFrom = 840;

/** One of a picture's four variants is shown: by the window's width and the reader's colour scheme. */
const choice = `
.plot svg { display: none; width: 100%; height: auto; }
@media (prefers-color-scheme: light) { .plot .narrow.light { display: block; } }
@media (prefers-color-scheme: dark) { .plot .narrow.dark { display: block; } }
@media (min-width: ${wideFrom}px) { .plot { max-width: none; } .plot .narrow.light, .plot .narrow.dark { display: none; } }
@media (min-width: ${wideFrom}px) and (prefers-color-scheme: light) { .plot .wide.light { display: block; } }
@media (min-width: ${wideFrom}px) and (prefers-color-scheme: dark) { .plot .wide.dark { display: block; } }`;

export const style = `
:root { ${variables('light')} }
@media (prefers-color-scheme: dark) { :root { ${variables('dark')} } }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--surface); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 920px; margin: 0 auto; padding: 56px 20px 72px; }
h1 { font-size: 2.25rem; line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 16px; text-wrap: balance; }
h2 { font-size: 1.375rem; line-height: 1.3; letter-spacing: -0.01em; margin: 64px 0 8px; text-wrap: balance; }
p { margin: 0 0 16px; max-width: 68ch; text-wrap: pretty; }
a { color: var(--link); }
.lead { font-size: 1.125rem; }
.soft { color: var(--soft); font-weight: 400; }
.block { display: block; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.kept { color: var(--kept); font-weight: 600; }
.broken { color: var(--broken); font-weight: 600; }
.headlines { list-style: none; margin: 32px 0; padding: 0; display: grid; gap: 16px 32px; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); }
.headlines b { display: block; font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; }
.headlines .soft { display: block; font-size: 0.875rem; }
.missed { margin: 0 0 24px; padding-left: 20px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 24px; margin-top: 24px; }
details { border-top: 1px solid var(--line); padding: 8px 0; }
summary { cursor: pointer; padding: 4px 0; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; font-variant-numeric: tabular-nums; font-size: 0.9375rem; line-height: 1.45; }
th { text-align: left; font-weight: 600; }
th, td { padding: 12px 16px 12px 0; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-size: 0.8125rem; font-weight: 400; padding-block: 8px; }
tr > :last-child { padding-right: 0; }
figure { margin: 24px 0 0; }
.plot { max-width: 560px; margin: 0 auto; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.facts { margin: 8px 0 16px; font-size: 0.875rem; }
.facts dt { font-weight: 600; margin-top: 8px; }
.facts dd { margin: 0; display: flex; flex-wrap: wrap; gap: 0 20px; }
code, pre { font: 0.875em/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--tint); border-radius: 8px; padding: 16px; overflow-x: auto; margin: 16px 0; }
@media (max-width: ${wideFrom - 0.02}px) {
  main { padding: 32px 16px 48px; }
  h1 { font-size: 1.75rem; }
  table, tbody, tr, tbody th { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 12px 0; border-bottom: 1px solid var(--line); }
  tr > * { border: 0; padding: 0; }
  td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); padding: 2px 0; border: 0; }
  td::before { content: attr(data-label); color: var(--soft); }
}
@media print { main { max-width: none; } .plot, tr { break-inside: avoid; } }
${choice}
`;
