import type { ComponentChildren } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { useContext, useErrorBoundary, useState } from 'preact/hooks';
import { call, currentApp, setApp } from './api.ts';
import { messageOf, useLoaded } from './hooks.ts';
import { Rail } from './rail.tsx';
import { linkTo, usePlace } from './router.ts';
import { Session, useMay } from './session.tsx';
import { Note } from './parts/note.tsx';

const pages = {
  import: lazy(() => import('./import/import-page.tsx').then(({ ImportPage }) => ({ default: ImportPage }))),
  jobs: lazy(() => import('./jobs/jobs-page.tsx').then(({ JobsPage }) => ({ default: JobsPage }))),
  move: lazy(() => import('./move/move-page.tsx').then(({ MovePage }) => ({ default: MovePage }))),
  morning: lazy(() =>
    import('./morning/morning-page.tsx').then(({ MorningPage }) => ({ default: MorningPage })),
  ),
  users: lazy(() => import('./users/users-page.tsx').then(({ UsersPage }) => ({ default: UsersPage }))),
  history: lazy(() => import('./history-page.tsx').then(({ HistoryPage }) => ({ default: HistoryPage }))),
} as const;
type PageName = keyof typeof pages;

const names: Readonly<Record<PageName, string>> = {
  import: 'Import',
  jobs: 'All imports',
  move: 'Move',
  morning: 'First morning',
  users: 'Users',
  history: 'History',
};

/** Scopes of which one opens the page. */
const needs: Readonly<Record<PageName, readonly string[]>> = {
  import: ['import', 'import:new'],
  jobs: ['import', 'import:new', 'read'],
  move: ['move', 'read'],
  morning: ['read', 'metrics'],
  users: ['read'],
  history: ['admin'],
};

const isPage = (name: string): name is PageName => Object.hasOwn(pages, name);

export function Shell({ onLeave }: { readonly onLeave: () => void }) {
  const place = usePlace();
  const may = useMay();
  const session = useContext(Session);
  const [app, chooseApp] = useState(currentApp());
  const open = (Object.keys(pages) as PageName[]).filter((name) => may(...needs[name]));
  const shown = isPage(place.page) ? place.page : 'import';
  const Page = pages[shown];
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <header class="top">
        <a class="brand" href={linkTo(open[0] ?? 'import')}>
          <img src={iconUrl} alt="" width="24" height="24" /> carryover
        </a>
        <nav aria-label="Pages">
          <ul>
            {open.map((name) => (
              <li key={name}>
                <a href={linkTo(name)} aria-current={name === shown ? 'page' : undefined}>
                  {names[name]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          <Apps
            app={app}
            onChoose={(to) => {
              setApp(to);
              chooseApp(to);
            }}
          />
          <span class="soft" title="The key or dashboard user of this session">
            {session?.name}
          </span>
          <button type="button" class="quiet small" onClick={onLeave}>
            Sign out
          </button>
        </div>
      </header>
      <Rail key={`rail ${app}`} />
      <main id="content" key={`main ${app}`}>
        {may(...needs[shown]) ? (
          <Guarded key={`${shown} ${place.id ?? ''}`}>
            <Suspense fallback={<p class="soft">Loading…</p>}>
              <Page id={place.id} />
            </Suspense>
          </Guarded>
        ) : (
          <Note kind="warn" title="This key may not do that.">
            {` ${names[shown]} needs one of the scopes ${needs[shown].join(', ')}: sign in with a key that has it.`}
          </Note>
        )}
      </main>
    </>
  );
}

/** A fault of one page leaves the others usable. */
function Guarded({ children }: { readonly children: ComponentChildren }) {
  const caught: readonly unknown[] = useErrorBoundary();
  const error = caught[0];
  if (error === undefined) return <>{children}</>;
  return (
    <Note kind="bad" title="This page has a fault.">
      {` ${messageOf(error)}. Nothing is lost: reload it, or use the command.`}
    </Note>
  );
}

interface AppsProps {
  readonly app: string;
  readonly onChoose: (app: string) => void;
}

interface AppList {
  readonly apps: readonly { readonly appId: string }[];
}

/** Only where there is a choice. */
function Apps({ app, onChoose }: AppsProps) {
  const may = useMay();
  const { value } = useLoaded('apps', async () => {
    if (!may('read') || currentApp() !== 'public') return undefined;
    return call<AppList>('/recipe/multitenancy/app/list/v2');
  });
  const [known, setKnown] = useState<readonly string[]>([]);
  const ids = value?.apps.map(({ appId }) => appId) ?? known;
  if (value !== undefined && known.length !== ids.length) setKnown(ids);
  if (ids.length < 2) return null;
  return (
    <label class="app">
      <span class="hidden">App</span>
      <select
        value={app}
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.value);
        }}
      >
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  );
}

const iconUrl = new URL('./icon.svg', import.meta.url).href;
