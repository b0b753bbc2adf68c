/** The index of the site's search: each part of a page between two headings. */
import MiniSearch from 'minisearch';
import type { SitePage } from './contents.ts';
import { anchorOf, proseOf } from './markdown.ts';

/** The page's script builds its index with the same fields. */
export const searchOptions = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'address'],
};

interface Part {
  readonly id: number;
  readonly title: string;
  readonly heading: string;
  readonly address: string;
  readonly text: string;
}

export function searchIndex(pages: readonly SitePage[]): MiniSearch<Part> {
  const index = new MiniSearch<Part>(searchOptions);
  index.addAll(pages.flatMap(partsOf).map((part, id) => ({ id, ...part })));
  return index;
}

function partsOf({ title, address, text }: SitePage): readonly Omit<Part, 'id'>[] {
  return text.split(/^(?=#{1,4} )/m).map((part) => {
    const [, level = '', heading = ''] = /^(#+) (.+)\n/.exec(part) ?? [];
    const isTitle = level.length < 2;
    return {
      title,
      heading: isTitle ? '' : heading,
      address: isTitle ? address : `${address}#${anchorOf(heading)}`,
      text: proseOf(part),
    };
  });
}
