/** Reading a core's /metrics. */
import type { TestCore } from './core.ts';

/** The sum of the samples of that name with all of these labels; 0 without any. */
export async function metric(
  core: TestCore,
  name: string,
  labels: Readonly<Record<string, string | number>> = {},
): Promise<number> {
  const { text } = await core.get('/metrics');
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split('\n')
    .map((line) => /^(?<name>[a-z_]+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/.exec(line)?.groups ?? {})
    .filter((sample) => sample.name === name)
    .filter((sample) => wanted.every((each) => (sample.labels ?? '').split(/,(?=[a-z_]+=)/).includes(each)))
    .reduce((sum, sample) => sum + Number(sample.value), 0);
}
