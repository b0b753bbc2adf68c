import type { ListedCore } from '../../../../store/cores.ts';
import { call } from '../api.ts';
import { bytes, count, duration } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Figures } from '../parts/figures.tsx';
import { Failure } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';

const everyMs = 5000;

interface CoreView extends ListedCore {
  readonly isThis: boolean;
}

/** Of all cores, as each reports every few seconds. */
export function Capacity() {
  const { value, error } = useLoaded(
    'cores',
    async (signal) => (await call<{ cores: readonly CoreView[] }>('/console/cores', { signal })).cores,
    everyMs,
  );
  return (
    <section>
      <h2>Capacity</h2>
      <Failure error={error?.message} />
      {value && <Sums cores={value} />}
      {value !== undefined && value.length > 1 && <Cores cores={value} />}
    </section>
  );
}

type Summed = 'threads' | 'running' | 'waiting' | 'backlog' | 'memoryBytes';

function Sums({ cores }: { readonly cores: readonly CoreView[] }) {
  const sum = (name: Summed): number => cores.reduce((all, { figures }) => all + (figures?.[name] ?? 0), 0);
  const threads = sum('threads');
  const running = sum('running');
  const waiting = sum('waiting');
  return (
    <Figures
      items={[
        {
          name: 'Threads for passwords',
          value: `${count(running)} of ${count(threads)} busy`,
          kind: running >= threads && threads > 0 ? 'warn' : undefined,
        },
        {
          name: 'Sign-ins that wait for one',
          value: count(waiting),
          kind: waiting > threads * 4 ? 'bad' : undefined,
        },
        { name: 'Waiting for the database', value: count(sum('backlog')) },
        { name: 'Memory', value: bytes(sum('memoryBytes')) },
        { name: 'Cores', value: count(cores.length) },
      ]}
    />
  );
}

function Cores({ cores }: { readonly cores: readonly CoreView[] }) {
  const of = (show: (figures: NonNullable<CoreView['figures']>) => string) => (core: CoreView) =>
    core.figures === null ? '–' : show(core.figures);
  return (
    <Table
      label="Cores"
      rows={cores}
      keyOf={({ id }) => id}
      empty=""
      columns={[
        {
          name: 'Core',
          cell: ({ id, figures, isThis }) => (
            <>
              {figures?.host ?? id.slice(0, 8)} {isThis && <span class="tag">answers this page</span>}
              {figures === null && <span class="soft">its console is off</span>}
            </>
          ),
        },
        {
          name: 'Threads busy',
          isNumber: true,
          cell: of(({ running, threads }) => `${count(running)} of ${count(threads)}`),
        },
        { name: 'Sign-ins waiting', isNumber: true, cell: of(({ waiting }) => count(waiting)) },
        { name: 'For the database', isNumber: true, cell: of(({ backlog }) => count(backlog)) },
        { name: 'Memory', isNumber: true, cell: of(({ memoryBytes }) => bytes(memoryBytes)) },
        { name: 'Version', cell: ({ version }) => version },
        { name: 'As of', cell: ({ ageMs }) => `${duration(ageMs / 1000)} ago` },
      ]}
    />
  );
}
