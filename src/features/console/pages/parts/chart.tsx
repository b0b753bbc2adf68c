import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface Series {
  readonly name: string;
  readonly values: readonly number[];
  /** The name of a colour of the style. */
  readonly color: 'good' | 'warn' | 'bad' | 'soft';
}

interface ChartProps {
  readonly label: string;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

const hours = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const height = 220;
/** A morning has just begun, or the core was restarted. */
const leastSeconds = 1800;

/** Lines over time. The figures beside it say the same in words. */
export function Chart({ label, times, series }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const names = series.map(({ name }) => name).join();
  useEffect(() => {
    const at = holder.current;
    if (at === null) return undefined;
    const style = getComputedStyle(at);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
    const axis = {
      stroke: colour('soft'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { stroke: colour('line') },
    };
    const made = new uPlot(
      {
        width: at.clientWidth,
        height,
        cursor: { drag: { setScale: false } },
        scales: {
          x: { range: (_plot, low, high) => [Math.min(low, high - leastSeconds), high] },
          y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.1)] },
        },
        axes: [
          { ...axis, values: (_plot, ticks) => ticks.map((tick) => hours.format(tick * 1000)) },
          { ...axis, size: 44 },
        ],
        series: [
          {},
          ...series.map(({ name, color }) => ({
            label: name,
            stroke: colour(color),
            width: 2,
            points: { show: times.length < 10 },
          })),
        ],
      },
      dataOf(times, series),
      at,
    );
    plot.current = made;
    const resize = new ResizeObserver(() => {
      made.setSize({ width: at.clientWidth, height });
    });
    resize.observe(at);
    return () => {
      resize.disconnect();
      made.destroy();
    };
  }, [names]);
  useEffect(() => {
    plot.current?.setData(dataOf(times, series));
  }, [times, series]);
  return <div ref={holder} class="chart" role="img" aria-label={label} />;
}

function dataOf(times: readonly number[], series: readonly Series[]): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])];
}
