/** ECharts' picture as a separate file and as a part of a page with many others. */
import { init, type EChartsOption } from 'echarts';
import { escape } from '../../src/page/text.ts';

export interface Drawing {
  readonly option: EChartsOption;
  /** px */
  readonly height: number;
}

export interface Caption {
  /** Letters, digits and hyphens; unique on the page. */
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
 * Removes parts for a pointer, including the style sheet, whose classes would collide with those of other pictures, and renames
 * the ids of clip paths: ECharts counts them over the whole process.
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

/** px around a picture that is displayed alone, on any background. */
const margin = 16;

/** The same picture as a card with a background, for use outside of the page. */
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
