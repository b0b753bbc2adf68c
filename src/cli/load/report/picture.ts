/** Curves over numbers as SVG, a panel with its own scale for each: one scale would flatten the small ones. */

import type { Look } from '../../../page/look.ts';
import { clip, escape, short } from '../../../page/text.ts';

export interface Curve {
  /** With its unit. */
  readonly name: string;
  /** By x. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Places on the axis, in a word or two. */
  readonly marks: readonly (readonly [x: number, text: string])[];
}

export interface Drawing {
  /** Letters, digits and hyphens; unique on the page. */
  readonly id: string;
  readonly xName: string;
  readonly look: Look;
}

/** px from a panel's edges to its plot. */
const edges = { left: 52, right: 12, top: 34, bottom: 40 };
const plotHeight = 160;
const panelHeight = edges.top + plotHeight + edges.bottom;

export function drawCurves(curves: readonly Curve[], drawing: Drawing): string {
  const { id, look } = drawing;
  const height = curves.length * panelHeight;
  const title = curves.map(({ name }) => name).join('; ');
  const font = `font-family="system-ui, sans-serif" font-size="13"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${look.width}" height="${height}" viewBox="0 0 ${look.width} ${height}" role="img" aria-labelledby="${id}-title" ${font}>
<title id="${id}-title">${escape(title)}</title>
${curves.map((curve, n) => panel(curve, n * panelHeight, drawing)).join('\n')}
</svg>`;
}

function panel({ name, points, marks }: Curve, top: number, { xName, look }: Drawing): string {
  const width = look.width - edges.left - edges.right;
  const last = Math.max(1e-9, ...points.map(([x]) => x));
  const most = Math.max(1e-9, ...points.map(([, y]) => y));
  const step = niceStep(most);
  const end = Math.ceil(most / step - 1e-9) * step;
  const at = (x: number, y: number): [number, number] => [
    round(edges.left + (x / last) * width),
    round(top + edges.top + plotHeight * (1 - y / end)),
  ];
  const [left, bottom] = at(0, 0);
  const right = left + width;
  const levels = Array.from({ length: Math.round(end / step) + 1 }, (_, n) => n * step);
  const line = points.map(([x, y], n) => `${n === 0 ? 'M' : 'L'}${at(x, y).join(' ')}`).join('');
  const text = (x: number, y: number, said: string, anchor: string, colour = look.softInk): string =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${escape(said)}</text>`;
  return [
    text(0, top + 18, clip(name, Math.floor(look.width / 8)), 'start', look.ink),
    ...levels.map((level) => {
      const [, y] = at(0, level);
      return `<path d="M${left} ${y}H${right}" stroke="${look.line}"/>${text(left - 8, y + 4, short(level), 'end')}`;
    }),
    ...marks.map(([x, said]) => {
      const [place] = at(x, 0);
      const isLate = place > left + width / 2;
      return `<path d="M${place} ${bottom}V${top + edges.top}" stroke="${look.softInk}" stroke-dasharray="4 3"/>${text(place + (isLate ? -6 : 6), top + edges.top + 12, said, isLate ? 'end' : 'start')}`;
    }),
    `<path d="${line}" fill="none" stroke="${look.palette[0] ?? look.ink}" stroke-width="2" stroke-linejoin="round"/>`,
    text(left, bottom + 18, '0', 'middle'),
    text(right, bottom + 18, short(last), 'end'),
    text((left + right) / 2, bottom + 32, xName, 'middle'),
  ].join('\n');
}

/** 1, 2 or 5 times a power of ten, for about four steps up to the most. */
function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => most / each <= 4) ?? most;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
