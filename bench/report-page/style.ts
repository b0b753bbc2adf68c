import { colours, type Scheme } from './look.ts';

function variables(scheme: Scheme): string {
  const { ink, softInk, line, surface } = colours[scheme];
  const more =
    scheme === 'light'
      ? '--tint: #f5f6f8; --kept: #00694d; --broken: #a83f00; --link: #005a8c;'
      : '--tint: #1c2026; --kept: #4fc9a4; --broken: #ff9d5c; --link: #7cc4f0;';
  return `color-scheme: ${scheme}; --ink: ${ink}; --soft: ${softInk}; --line: ${line}; --surface: ${surface}; ${more}`;
}

/** px of the window from which the wide pictures fit without their text getting too small. */
export const wideFrom = 840;

/** One of a picture's four variants is shown: by the window's width and the reader's colour scheme. */
const choice = `
.plot svg { display: none; width: 100%; height: auto; }
.plot .narrow.light { display: block; }
@media (prefers-color-scheme: dark) { .plot .narrow.light { display: none; } .plot .narrow.dark { display: block; } }
@media (min-width: ${wideFrom}px) {
  .plot .narrow.light, .plot .narrow.dark { display: none; }
  .plot .wide.light { display: block; }
}
@media (min-width: ${wideFrom}px) and (prefers-color-scheme: dark) {
  .plot .wide.light { display: none; }
  .plot .wide.dark { display: block; }
}`;

export const style = `
:root { ${variables('light')} }
@media (prefers-color-scheme: dark) { :root { ${variables('dark')} } }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--surface); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
main { max-width: 920px; margin: 0 auto; padding: 56px 20px 72px; }
h1 { font-size: 2.25rem; line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 16px; text-wrap: balance; }
h2 { font-size: 1.375rem; line-height: 1.3; letter-spacing: -0.01em; margin: 72px 0 8px; text-wrap: balance; }
p { margin: 0 0 16px; max-width: 68ch; text-wrap: pretty; }
a { color: var(--link); }
.lead { font-size: 1.125rem; }
.soft, .unit, figcaption, .note { color: var(--soft); }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.machine {
  display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 1px; margin: 32px 0 0;
  background: var(--line); border: 1px solid var(--line); border-radius: 8px; overflow: hidden;
}
.machine .broad { grid-column: span 2; }
.machine div { background: var(--surface); padding: 12px 16px; }
.machine dt { color: var(--soft); font-size: 0.8125rem; }
.machine dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; }
.measurements { width: 100%; table-layout: fixed; margin: 24px 0 0; font-size: 0.9375rem; line-height: 1.45; }
.measurements th, .measurements td { padding: 12px 16px 12px 0; vertical-align: top; border-bottom: 1px solid var(--line); }
.measurements thead th { color: var(--soft); font-size: 0.8125rem; font-weight: 400; padding-block: 0 8px; }
.measurements th:nth-child(1) { width: 20%; }
.measurements th:nth-child(2) { width: 18%; }
.measurements th:nth-child(4), .measurements th:nth-child(5) { width: 16%; }
.measurements tr > :last-child { padding-right: 0; }
.measurements td .soft, .measurements .kept, .measurements .broken { display: block; }
.kept { color: var(--kept); font-weight: 600; white-space: nowrap; }
.broken { color: var(--broken); font-weight: 600; white-space: nowrap; }
figure { margin: 24px 0 0; }
.plot { max-width: 560px; margin: 0 auto; }
details { margin: 16px 0 0; }
summary { cursor: pointer; color: var(--link); width: fit-content; padding: 4px 0; }
.scroll { overflow: auto; max-height: 26rem; margin-top: 8px; display: flex; flex-wrap: wrap; gap: 24px 40px; align-items: flex-start; }
.scroll:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.numbers { overflow-wrap: break-word; font-size: 0.875rem; line-height: 1.4; }
.numbers caption { text-align: left; color: var(--soft); padding-bottom: 4px; max-width: 22rem; }
.numbers th, .numbers td { padding: 4px 20px 4px 0; border-bottom: 1px solid var(--line); }
.numbers td, .numbers thead th:not(:first-child) { text-align: right; }
.numbers tbody th { font-weight: 400; }
.numbers thead th { color: var(--soft); font-weight: 400; vertical-align: bottom; }
.facts { margin: 8px 0 0; font-size: 0.875rem; }
.facts dt { font-weight: 600; margin-top: 8px; }
.facts .number { white-space: normal; }
.facts dd { margin: 0; display: flex; flex-wrap: wrap; gap: 0 20px; }
code, pre { font: 0.875em/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--tint); border-radius: 8px; padding: 16px; overflow-x: auto; margin: 16px 0; }
@media (min-width: ${wideFrom}px) { .plot { max-width: none; } }
@media (max-width: ${wideFrom - 0.02}px) {
  main { padding: 32px 16px 48px; }
  h1 { font-size: 1.75rem; }
  h2 { margin-top: 56px; }
  .machine { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .machine .broad { grid-column: 1 / -1; }
  .measurements, .measurements tbody, .measurements tr, .measurements tbody th { display: block; }
  .measurements thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .measurements tr { padding: 16px 0; border-bottom: 1px solid var(--line); }
  .measurements tr > * { border: 0; padding: 0; }
  .measurements tbody th:nth-child(1) { width: auto; }
  .measurements tbody th { margin-bottom: 4px; }
  .measurements td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); padding: 2px 0; }
  .measurements td::before { content: attr(data-label); color: var(--soft); }
}
@media print { main { max-width: none; } .plot, tr { break-inside: avoid; } }
${choice}
`;
