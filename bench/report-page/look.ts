/** Sizes and colours of a plot: two widths, two colour schemes. */

export const widths = ['wide', 'narrow'] as const;
export const schemes = ['light', 'dark'] as const;
export type Width = (typeof widths)[number];
export type Scheme = (typeof schemes)[number];

export interface Look {
  /** px, of the picture as it is drawn; the page shows it between 0.85 and 1.6 times as large. */
  readonly width: number;
  readonly isNarrow: boolean;
  /** px: no text of a picture is smaller, so that none is below 11 as it is seen. */
  readonly fontSize: number;
  /** px that a character may take, on the safe side for the widest system fonts. */
  readonly characterWidth: number;
  readonly ink: string;
  readonly softInk: string;
  readonly line: string;
  readonly surface: string;
  readonly palette: readonly string[];
  /** Names of series in the order of their colours: a scenario has one colour in all pictures. */
  readonly names: readonly string[];
}

/**
 * Okabe and Ito's colours ("Color Universal Design", 2008), which colour-blind readers tell apart: the darker ones first on
 * light ground, the lighter ones first on dark ground, the ones without contrast to it left out.
 */
const palettes: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#3d4148', '#e69f00', '#56b4e9'],
  dark: ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#c9ced6', '#f0e442', '#d55e00'],
};

export const colours = {
  light: { ink: '#1c2024', softInk: '#565d66', line: '#e1e4e8', surface: '#ffffff' },
  dark: { ink: '#e8eaed', softInk: '#a3abb5', line: '#2c323a', surface: '#14171b' },
} as const satisfies Readonly<Record<Scheme, object>>;

/** Names that need no quotes in an attribute. */
export const fontFamily = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif';

export function lookOf(width: Width, scheme: Scheme, names: readonly string[]): Look {
  return {
    width: width === 'wide' ? 880 : 340,
    isNarrow: width === 'narrow',
    fontSize: 13,
    characterWidth: 7.5,
    ...colours[scheme],
    palette: palettes[scheme],
    names,
  };
}

export interface SeriesStyle {
  readonly colour: string;
  readonly dash: 'solid' | 'dashed';
  readonly mark: string;
}

/** The colour, line and mark of a series: told apart by each of them. */
export function styleOf(name: string, { names, palette }: Look): SeriesStyle {
  const marks = ['circle', 'rect', 'triangle', 'diamond'] as const;
  const n = Math.max(0, names.indexOf(name));
  return {
    colour: palette[n % palette.length] ?? 'currentColor',
    dash: n < palette.length ? 'solid' : 'dashed',
    mark: marks[n % marks.length] ?? 'circle',
  };
}

/** Black or white, whichever is read more easily on a colour (relative luminance of WCAG 2, § 1.4.3). */
export function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000000' : '#ffffff';
}
