/** Sizes and colours of a picture: two widths, two colour schemes. */

export const widths = ['wide', 'narrow'] as const;
export const schemes = ['light', 'dark'] as const;
export type Width = (typeof widths)[number];
export type Scheme = (typeof schemes)[number];

export interface Look {
  /** px of the drawn picture; the page shows it between 0.85 and 1.6 times this size. */
  readonly width: number;
  readonly isNarrow: boolean;
  readonly ink: string;
  readonly softInk: string;
  readonly line: string;
  readonly surface: string;
  /** In the order of the series. */
  readonly palette: readonly string[];
}

/**
 * Okabe and Ito's colours ("Color Universal Design", 2008), which colour-blind readers can distinguish: the darker ones first on
 * a light background, the lighter ones first on a dark one.
 */
const palettes: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#3d4148'],
  dark: ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#c9ced6'],
};

export const colours = {
  light: { ink: '#1c2024', softInk: '#565d66', line: '#e1e4e8', surface: '#ffffff' },
  dark: { ink: '#e8eaed', softInk: '#a3abb5', line: '#2c323a', surface: '#14171b' },
} as const satisfies Readonly<Record<Scheme, object>>;

export function lookOf(width: Width, scheme: Scheme): Look {
  const isNarrow = width === 'narrow';
  return { width: isNarrow ? 340 : 880, isNarrow, ...colours[scheme], palette: palettes[scheme] };
}
