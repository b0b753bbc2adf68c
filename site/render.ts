/** One page of Markdown as HTML. */
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { addressOf, relative, type SitePage } from './contents.ts';
import { anchorOf } from './markdown.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

export interface Rendered {
  readonly html: string;
  /** Without the title. */
  readonly headings: readonly Heading[];
}

const markdown = new MarkdownIt({ html: true, linkify: false });

/** @param known files of the repository that are pages of the site */
export function render(page: SitePage, known: ReadonlySet<string>): Rendered {
  const tokens = markdown.parse(withPictures(page), {});
  const headings: Heading[] = [];
  for (const [place, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = textOf(tokens[place + 1]?.children ?? []);
      const anchor = anchorOf(text);
      token.attrSet('id', anchor);
      if (token.tag !== 'h1') headings.push({ level: Number(token.tag.slice(1)), text, anchor });
    }
    for (const child of token.children ?? [])
      if (child.type === 'link_open')
        child.attrSet('href', hrefOf(page, String(child.attrGet('href')), known));
  }
  return { html: wrapTables(markdown.renderer.render(tokens, markdown.options, {})), headings };
}

function textOf(children: readonly { readonly type: string; readonly content: string }[]): string {
  return children
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');
}

/** Links between files of the repository become links between pages; other files are named. */
function hrefOf(page: SitePage, href: string, known: ReadonlySet<string>): string {
  if (/^([a-z]+:|#)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const file = path.posix.join(path.posix.dirname(page.file), target);
  if (!known.has(file)) throw new Error(`${page.file} links to ${file}, which is no page of the site`);
  return relative(page.address, addressOf(file)) + (anchor === undefined ? '' : `#${anchor}`);
}

/** Pictures are all in docs/images: in HTML, and as Markdown has them. */
function withPictures({ text, address }: SitePage): string {
  return text
    .replaceAll(/ (src|srcset)="(?:docs\/)?(images\/[^"]+)"/g, (_all, name: string, file: string) => {
      return ` ${name}="${relative(address, file)}"`;
    })
    .replaceAll(
      /(!\[[^\]]*\])\((?:docs\/|\.\.\/)?(images\/[^)]+)\)/g,
      (_all, label: string, file: string) => {
        return `${label}(${relative(address, file)})`;
      },
    );
}

/** A wide table scrolls alone, not the page. */
function wrapTables(html: string): string {
  return html.replaceAll('<table>', '<div class="table"><table>').replaceAll('</table>', '</table></div>');
}
