/** Prometheus' text format, as far as a core writes it: https://prometheus.io/docs/instrumenting/exposition_formats */

/** A scrape: each sample's value by its name and labels. */
export type Scrape = readonly Sample[];

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

const line = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;

export function scrapeOf(text: string): Scrape {
  return text.split('\n').flatMap((each) => {
    const [, name, labels = '', value] = line.exec(each) ?? [];
    return name === undefined ? [] : [{ name, labels, value: Number(value) }];
  });
}

/** @param label a part of the labels, such as `outcome="refused"` @returns the sum of the samples; undefined without any */
export function valueOf(scrape: Scrape, name: string, label = ''): number | undefined {
  const found = scrape.filter((each) => each.name === name && each.labels.includes(label));
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

export function largestOf(scrape: Scrape, name: string): number {
  return scrape.reduce((most, each) => (each.name === name ? Math.max(most, each.value) : most), 0);
}
