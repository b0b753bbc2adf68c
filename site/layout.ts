/** A page of the site around its text: contents on the left, headings on the right, search above. */
import { type Section, type SitePage, relative } from './contents.ts';
import type { Rendered } from './render.ts';

export function layout(page: SitePage, { html, headings }: Rendered, contents: readonly Section[]): string {
  const to = (file: string): string => relative(page.address, file);
  const title = page.address === 'index.html' ? 'carryover' : `${escape(page.title)} · carryover`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${to('style.css')}">
</head>
<body data-root="${to('index.html').replace('index.html', '')}">
<header>
<a class="name" href="${to('index.html')}">carryover</a>
<div class="search"><input type="search" placeholder="Search" aria-label="Search" autocomplete="off"><ol hidden></ol></div>
</header>
<div class="columns">
<nav class="contents" aria-label="Contents">
<details><summary>Contents</summary>
${contents.map((section) => sectionOf(section, page)).join('\n')}
</details>
</nav>
<main>
${html}
</main>
<nav class="headings" aria-label="On this page">
${headings.length > 1 ? `<h2>On this page</h2>\n<ul>${headings.map(entryOf).join('')}</ul>` : ''}
</nav>
</div>
<script src="${to('minisearch.js')}" defer></script>
<script src="${to('search-index.js')}" defer></script>
<script src="${to('page.js')}" defer></script>
</body>
</html>
`;
}

function sectionOf({ title, pages }: Section, current: SitePage): string {
  const links = pages.map((page) => {
    const mark = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${relative(current.address, page.address)}"${mark}>${escape(page.title)}</a></li>`;
  });
  return `<h2>${title}</h2>\n<ul>${links.join('')}</ul>`;
}

function entryOf({ level, text, anchor }: Rendered['headings'][number]): string {
  return `<li class="level-${level}"><a href="#${anchor}">${escape(text)}</a></li>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
