import { style } from './style.ts';
import { escape } from './text.ts';

export interface PageParts {
  readonly title: string;
  /** A sentence at the head, as HTML, and its class, if it has one. */
  readonly lead: string;
  readonly leadClass?: string;
  /** A line of facts below it, as text. */
  readonly facts: readonly string[];
  /** Sections, as HTML. */
  readonly main: string;
}

/** One file of HTML without scripts that needs nothing else: wide and narrow, light and dark, and in print. */
export function documentOf({ title, lead, leadClass, facts, main }: PageParts): string {
  const classes = leadClass === undefined ? 'lead' : `lead ${leadClass}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>${escape(title)}</h1>
<p class="${classes}">${lead}</p>
<p class="soft">${facts.map(escape).join(' · ')}</p>
</header>
${main}
</main>
</body>
</html>
`;
}

/** The first row is the head. On a phone each cell has its column's name. */
export function tableOf([head = [], ...rows]: readonly (readonly (string | number)[])[]): string {
  const cells = (row: readonly (string | number)[]): string =>
    row
      .map((cell, column) =>
        column === 0
          ? `<th scope="row">${escape(cell)}</th>`
          : `<td data-label="${escape(head[column] ?? '')}">${cell === '' ? '' : escape(cell)}</td>`,
      )
      .join('');
  const names = head.map((name) => `<th scope="col">${name === '' ? '' : escape(name)}</th>`).join('');
  return `<table>\n<thead><tr>${names}</tr></thead>\n<tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')}</tbody>\n</table>`;
}
