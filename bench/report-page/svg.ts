/** ECharts' picture as a file of its own and as a part of a page with many others. */
import { init, type EChartsOption } from 'echarts';
import { escape } from './text.ts';

export interface Drawing {
  readonly option: EChartsOption;
  /** px */
  readonly height: number;
}

export interface Caption {
  /** Of letters, digits and hyphens; no other picture of the page has it. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** Without a DOM; the same text for the same input. */
export function drawSvg({ option, height }: Drawing, width: number, caption: Caption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption({ animation: false, ...option });
  const drawn = chart.renderToSVGString();
  chart.dispose();
  return `${opening(width, height, caption)}\n${tidy(drawn, caption.id)}`;
}

function opening(width: number, height: number, { id, title, description }: Caption): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${escape(title)}</title>
<desc id="${id}-desc">${escape(description)}</desc>`;
}

/**
 * Takes out what is for a pointer, the style sheet included, whose classes would meet those of other pictures, and gives
 * ids of this picture to clip paths: ECharts counts them over the whole process.
 */
function tidy(drawn: string, id: string): string {
  return drawn
    .slice(drawn.indexOf('>') + 1)
    .replace(/<style[^>]*>[^<]*<!\[CDATA\[[^]*?\]\]>[^<]*<\/style>/g, '')
    .replace(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, '')
    .replace(/(id="|="url\(#)zr\d+-/g, `$1${id}-`)
    .replace(/\n+/g, '\n')
    .trim();
}

/** px around a picture that stands by itself, on whatever ground. */
const margin = 16;

/** The same picture as a card of its own ground, for where the page's is not around it. */
export function framed(svg: string): string {
  return svg
    .replace(
      /width="(\d+)" height="(\d+)" viewBox="[^"]*"/,
      (_, width: string, height: string) =>
        `width="${Number(width) + 2 * margin}" height="${Number(height) + 2 * margin}" viewBox="${-margin} ${-margin} ${Number(width) + 2 * margin} ${Number(height) + 2 * margin}"`,
    )
    .replace(
      /<rect width="(\d+)" height="(\d+)" x="0" y="0"/,
      (_, width: string, height: string) =>
        `<rect width="${Number(width) + 2 * margin}" height="${Number(height) + 2 * margin}" x="${-margin}" y="${-margin}" rx="8"`,
    );
}
