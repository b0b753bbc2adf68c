import { markup } from './markup.ts';

export interface Page {
  readonly title: string;
  /** Markup. */
  readonly main: string;
  readonly script?: string;
}

/** The common frame of all pages. */
export function layout({ title, main, script }: Page): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    ${markup`<title>${title} · Example</title>`}
    <link rel="stylesheet" href="/assets/style.css" />
    ${script === undefined ? '' : markup`<script type="module" src="${script}"></script>`}
  </head>
  <body>
    <header>
      <a class="name" href="/">Example</a>
      <nav><a href="/admin">Orders</a> <a href="/stand-ins/outbox">Mails</a> <a href="/stand-ins/phone">Phone</a></nav>
    </header>
    <main>
      ${main}
    </main>
  </body>
</html>
`;
}
