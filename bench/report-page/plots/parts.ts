/** What the plots have in common. */
import type { EChartsOption, LegendComponentOption } from 'echarts';
import type { Series } from '../../scenario.ts';
import { fontFamily, styleOf, type Look } from '../look.ts';
import { clip } from '../text.ts';

export function base(look: Look): EChartsOption {
  return {
    backgroundColor: look.surface,
    textStyle: { fontFamily, fontSize: look.fontSize, color: look.softInk },
  };
}

export function axisLook(look: Look) {
  return {
    axisLine: { lineStyle: { color: look.softInk } },
    axisTick: { show: false },
    axisLabel: { color: look.softInk, fontSize: look.fontSize, fontFamily },
    splitLine: { lineStyle: { color: look.line } },
    nameTextStyle: { color: look.softInk, fontSize: look.fontSize, fontFamily },
  } as const;
}

/** A line of text, as the unit above an axis. */
export function label(text: string, look: Look, place: { left: number; top: number }) {
  const textStyle = {
    color: look.softInk,
    fontSize: look.fontSize,
    fontWeight: 'normal' as const,
    fontFamily,
  };
  return { text, ...place, padding: 0, textStyle };
}

export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

const lineHeight = 22;
const markWidth = 34;

/** Names in columns of one width, and how high they are: computed here because what stands below has to know it. */
export function legend(
  names: readonly string[],
  place: Place,
  look: Look,
): { option: LegendComponentOption; height: number } {
  const longest = Math.max(...names.map((name) => name.length));
  // Two columns at least where there is width for them.
  const room = (place.width > 600 ? place.width / 2 : place.width) - markWidth - 4;
  const textWidth = Math.min(longest * look.characterWidth, room);
  const columns = Math.max(1, Math.floor(place.width / (textWidth + markWidth)));
  return {
    height: Math.ceil(names.length / columns) * lineHeight,
    option: {
      data: [...names],
      ...place,
      padding: 0,
      itemGap: 8,
      itemWidth: 22,
      itemHeight: 9,
      selectedMode: false,
      formatter: (name) => clip(name, Math.floor(textWidth / look.characterWidth)),
      textStyle: { color: look.ink, fontSize: look.fontSize, fontFamily, width: textWidth, lineHeight: 14 },
    },
  };
}

export function curve(series: Series, look: Look) {
  const { colour, dash, mark } = styleOf(series.name, look);
  return {
    type: 'line' as const,
    name: series.name,
    data: series.points.map(([x, y]) => [Number(x), y] as [number, number]).toSorted(([a], [b]) => a - b),
    showSymbol: series.points.length <= 16,
    symbol: mark,
    symbolSize: 7,
    sampling: 'lttb' as const,
    silent: true,
    lineStyle: { color: colour, width: 2, type: dash },
    itemStyle: { color: colour, borderColor: look.surface, borderWidth: 0 },
  };
}

/** Words beside bars, in lines that fit. */
export interface Words {
  readonly texts: readonly string[];
  /** px */
  readonly width: number;
  readonly height: number;
}

const wordsLineHeight = 16;
const mostLines = 3;

/** Divided here, by the widest font, and not by the library, which would measure a narrow one. */
export function wordsOfBars(words: readonly string[], look: Look): Words {
  const most = Math.floor((look.width * (look.isNarrow ? 0.38 : 0.34)) / look.characterWidth);
  const lines = words.map((word) => wrap(word, most));
  const longest = Math.max(...lines.flat().map((line) => line.length));
  return {
    texts: lines.map((each) => each.join('\n')),
    width: Math.ceil(longest * look.characterWidth),
    height: Math.max(...lines.map(({ length }) => length)) * wordsLineHeight,
  };
}

/** Between words; a word that is too long by itself is clipped. */
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
  const { axisLabel } = axisLook(look);
  return {
    type: 'category' as const,
    // Numbered, because two words may be clipped to one text.
    data: texts.map((_, n) => String(n)),
    inverse: true,
    axisTick: { show: false },
    axisLine: { show: false },
    axisLabel: {
      ...axisLabel,
      color: look.ink,
      lineHeight: wordsLineHeight,
      interval: 0,
      margin: 10,
      formatter: (n: string) => texts[Number(n)] ?? '',
    },
  };
}
