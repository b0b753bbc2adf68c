/** The common parts of all pictures that ECharts draws. */
import type { EChartsOption, LegendComponentOption } from 'echarts';
import type { Look } from '../../src/page/look.ts';
import { clip } from '../../src/page/text.ts';

export function colourOf(place: number, { palette }: Look): string {
  return palette[place % palette.length] ?? 'currentColor';
}

/** Black or white, whichever is more readable on a colour (relative luminance of WCAG 2, § 1.4.3). */
export function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000000' : '#ffffff';
}

/** Names that need no quotes in an attribute. */
const fontFamily = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif';
/** px: the minimum for text in a picture, so that none is displayed below 11. */
export const fontSize = 13;
/** px of a character, a safe estimate for the widest system fonts. */
const characterWidth = 7.5;

export function textStyle(color: string) {
  return { color, fontSize, fontWeight: 'normal' as const, fontFamily };
}

export function base(look: Look): EChartsOption {
  return { backgroundColor: look.surface, textStyle: textStyle(look.softInk) };
}

export function axisLook(look: Look) {
  return {
    axisLine: { lineStyle: { color: look.softInk } },
    axisTick: { show: false },
    axisLabel: textStyle(look.softInk),
    splitLine: { lineStyle: { color: look.line } },
    nameTextStyle: textStyle(look.softInk),
  } as const;
}

/** Names in columns of one width, and their height: computed here because the layout below depends on it. */
export function legend(
  names: readonly string[],
  look: Look,
): { readonly option: LegendComponentOption; readonly height: number } {
  const [lineHeight, markWidth] = [22, 26];
  const textWidth = Math.max(...names.map((name) => name.length)) * characterWidth;
  const columns = Math.max(1, Math.floor(look.width / (textWidth + markWidth)));
  return {
    height: Math.ceil(names.length / columns) * lineHeight,
    option: {
      data: [...names],
      left: 0,
      top: 8,
      width: look.width,
      padding: 0,
      itemGap: 8,
      itemWidth: 12,
      itemHeight: 10,
      selectedMode: false,
      textStyle: { ...textStyle(look.ink), width: textWidth, lineHeight: 14 },
    },
  };
}

/** Words next to rows, in lines that fit. */
export interface Words {
  readonly texts: readonly string[];
  /** px */
  readonly width: number;
  readonly height: number;
}

const wordsLineHeight = 16;
const mostLines = 3;

/** Wrapped here, by the widest font, and not by the library, which would measure a narrow one. */
export function wordsOfRows(words: readonly string[], look: Look): Words {
  const most = Math.floor((look.width * (look.isNarrow ? 0.38 : 0.34)) / characterWidth);
  const lines = words.map((word) => wrap(word, most));
  const longest = Math.max(...lines.flat().map((line) => line.length));
  return {
    texts: lines.map((each) => each.join('\n')),
    width: Math.ceil(longest * characterWidth),
    height: Math.max(...lines.map(({ length }) => length)) * wordsLineHeight,
  };
}

/** Between words; a word that is too long alone is clipped. */
function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(clip(word, most));
  }
  const last = lines[mostLines - 1];
  return lines.length > mostLines && last !== undefined
    ? [...lines.slice(0, mostLines - 1), clip(`${last}…`, most)]
    : lines;
}

/** An axis of words from top to bottom. */
export function wordsAxis({ texts }: Pick<Words, 'texts'>, look: Look) {
  return {
    type: 'category' as const,
    // Numbered, because two words may be clipped to one text.
    data: texts.map((_, n) => String(n)),
    inverse: true,
    axisTick: { show: false },
    axisLine: { show: false },
    axisLabel: {
      ...textStyle(look.ink),
      lineHeight: wordsLineHeight,
      interval: 0,
      margin: 10,
      formatter: (n: string) => texts[Number(n)] ?? '',
    },
  };
}
