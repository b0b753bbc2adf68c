import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { time } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Failure, Note } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../router.ts';
import { methodName, type User } from './user-model.ts';
import { UserPage } from './user-page.tsx';

interface Found {
  readonly users: readonly User[];
  readonly nextPaginationToken?: string;
  readonly isCut?: boolean;
}

export function UsersPage({ id }: { readonly id: string | undefined }) {
  return id === undefined ? <Search /> : <UserPage key={id} id={id} />;
}

function Search() {
  const [text, setText] = useState('');
  const [pages, setPages] = useState<readonly string[]>([]);
  const token = pages.at(-1);
  const { value, error, isLoading } = useLoaded(`users ${text} ${token ?? ''}`, (signal) =>
    call<Found>('/console/users', { query: { text, paginationToken: token }, signal }),
  );
  const search = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get('text');
    setPages([]);
    setText(typeof given === 'string' ? given : '');
  };
  return (
    <>
      <h1 tabIndex={-1}>Users</h1>
      <form class="row" role="search" onSubmit={search}>
        <label class="field grow">
          An id, an email or a phone number, or the beginning of one
          <input name="text" type="search" spellcheck={false} autocomplete="off" />
        </label>
        <button type="submit">Search</button>
      </form>
      <Failure error={error?.message} />
      {isLoading && <p class="soft">Searching…</p>}
      {value?.isCut === true && <Note>Only the first hundred are shown: type more.</Note>}
      {value && (
        <Table
          label="Users"
          rows={value.users}
          keyOf={({ id: userId }) => userId}
          empty={text === '' ? 'There are no users yet.' : 'No user was found.'}
          columns={[
            {
              name: 'User',
              cell: (user) => (
                <a href={linkTo('users', user.id)}>{user.emails[0] ?? user.phoneNumbers[0] ?? user.id}</a>
              ),
            },
            { name: 'Id', cell: ({ id: userId }) => <code>{userId}</code> },
            {
              name: 'Signs in by',
              cell: ({ loginMethods }) => [...new Set(loginMethods.map(methodName))].join(', '),
            },
            { name: 'Joined', cell: ({ timeJoined }) => time(timeJoined) },
          ]}
        />
      )}
      {text === '' && (
        <div class="row">
          <button
            type="button"
            class="quiet small"
            disabled={pages.length === 0}
            onClick={() => {
              setPages(pages.slice(0, -1));
            }}
          >
            ← Before
          </button>
          <button
            type="button"
            class="quiet small"
            disabled={value?.nextPaginationToken === undefined}
            onClick={() => {
              if (value?.nextPaginationToken !== undefined) setPages([...pages, value.nextPaginationToken]);
            }}
          >
            Next →
          </button>
        </div>
      )}
    </>
  );
}
