import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { ago, plural, time } from '../format.ts';
import { useDoing, useLoaded } from '../hooks.ts';
import { Entries } from '../history-page.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../router.ts';
import { useMay } from '../session.tsx';
import { Help } from './help.tsx';
import {
  methodName,
  type MethodFacts,
  type Person,
  type Reason,
  unknownUser,
  type User,
} from './user-model.ts';

interface Extras {
  readonly roles: readonly string[] | undefined;
  readonly sessions: number | undefined;
  readonly devices: readonly { readonly name: string; readonly verified: boolean }[] | undefined;
}

/** One user whole. */
export function UserPage({ id }: { readonly id: string }) {
  const may = useMay();
  const person = useLoaded(`user ${id}`, (signal) =>
    call<Person | { status: typeof unknownUser }>('/console/user', { query: { userId: id }, signal }),
  );
  const extras = useLoaded<Extras>(`extras ${id}`, async (signal) => {
    const of = { query: { userId: id }, signal };
    const [roles, sessions, devices] = await Promise.all([
      may('sign-in', 'read') ? call<{ roles: string[] }>('/recipe/user/roles', of) : undefined,
      may('sign-in') ? call<{ sessionHandles: string[] }>('/recipe/session/user', of) : undefined,
      may('sign-in')
        ? call<{ devices: { name: string; verified: boolean }[] }>('/recipe/totp/device/list', of)
        : undefined,
    ]);
    return { roles: roles?.roles, sessions: sessions?.sessionHandles.length, devices: devices?.devices };
  });
  const [revealed, setRevealed] = useState<User>();
  const found = person.value;
  const user = revealed ?? (found?.status === 'OK' ? found.user : undefined);
  return (
    <>
      <p>
        <a href={linkTo('users')}>← Users</a>
      </p>
      <h1 tabIndex={-1}>{user?.emails[0] ?? user?.phoneNumbers[0] ?? id}</h1>
      <Failure error={person.error?.message ?? extras.error?.message} />
      {found?.status === unknownUser && (
        <Note kind="warn">No user has this id. It may have been removed.</Note>
      )}
      {found?.status === 'OK' && user !== undefined && (
        <>
          <Head
            user={user}
            extras={extras.value}
            isRevealed={revealed !== undefined}
            onReveal={setRevealed}
          />
          <Reasons reasons={found.reasons} />
          <Methods user={user} methods={found.methods} />
          <Help
            user={user}
            reasons={found.reasons}
            sessions={extras.value?.sessions}
            onDone={() => {
              person.reload();
              extras.reload();
            }}
          />
          <section>
            <h2>History</h2>
            <p class="soft">What the audit log says of this user, among its newest thousand entries.</p>
            <Entries entries={found.history} />
          </section>
        </>
      )}
    </>
  );
}

interface HeadProps {
  readonly user: User;
  readonly extras: Extras | undefined;
  readonly isRevealed: boolean;
  readonly onReveal: (user: User) => void;
}

function Head({ user, extras, isRevealed, onReveal }: HeadProps) {
  const doing = useDoing();
  const reveal = (): void => {
    doing.run(async () => {
      const answer = await call<{ status: string; user?: User }>('/console/user/reveal', {
        method: 'POST',
        body: { userId: user.id },
      });
      if (answer.user !== undefined) onReveal(answer.user);
    });
  };
  const { roles, devices, sessions } = extras ?? {};
  const facts: readonly (readonly [string, string])[] = [
    ['Id', user.id],
    ['Emails', user.emails.join(', ')],
    ['Phone numbers', user.phoneNumbers.join(', ')],
    ['Joined', time(user.timeJoined)],
    ['Tenants', user.tenantIds.join(', ')],
    ['Roles', roles?.join(', ') ?? ''],
    ['Sessions', sessions === undefined ? '' : plural(sessions, 'session')],
    [
      'Authenticator apps',
      devices?.map(({ name, verified }) => `${name}${verified ? '' : ' (not verified)'}`).join(', ') ?? '',
    ],
  ];
  return (
    <>
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {!isRevealed && (
        <p>
          <button type="button" class="quiet small" disabled={doing.isBusy} onClick={reveal}>
            Show email and phone in full
          </button>{' '}
          <span class="soft">The audit log says that you did.</span>
        </p>
      )}
      <Failure error={doing.error} />
    </>
  );
}

const kinds = { stops: 'bad', may: 'warn', fine: 'good' } as const;

function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  const stops = reasons.some(({ weight }) => weight === 'stops');
  const may = reasons.some(({ weight }) => weight === 'may');
  return (
    <section>
      <h2>Why can this user not sign in?</h2>
      {!stops && !may && <p>Nothing here is against it.</p>}
      <ul class="reasons">
        {reasons.map(({ weight, text, cure }) => (
          <li key={text}>
            <Note kind={kinds[weight]} title={text}>
              {cure === undefined ? null : ` ${cure}`}
            </Note>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Methods({ user, methods }: { readonly user: User; readonly methods: readonly MethodFacts[] }) {
  const factsOf = (id: string): MethodFacts | undefined =>
    methods.find((each) => each.id === id || each.coreId === id);
  return (
    <section>
      <h2>Ways to sign in</h2>
      <Table
        label="Ways to sign in"
        rows={user.loginMethods}
        keyOf={({ recipeUserId }) => recipeUserId}
        empty=""
        columns={[
          { name: 'By', cell: methodName },
          {
            name: 'Who',
            cell: ({ email, phoneNumber, thirdParty }) => email ?? phoneNumber ?? thirdParty?.userId ?? '–',
          },
          { name: 'Verified', cell: ({ verified }) => (verified ? 'yes' : 'no') },
          { name: 'Password', cell: ({ recipeUserId }) => passwordText(factsOf(recipeUserId)) },
          { name: 'Last sign-in', cell: ({ recipeUserId }) => atText(factsOf(recipeUserId)?.signedInAt) },
          { name: 'Came by', cell: ({ recipeUserId }) => <Origin facts={factsOf(recipeUserId)} /> },
        ]}
      />
    </section>
  );
}

function passwordText(facts: MethodFacts | undefined): string {
  if (facts?.oldSystem !== undefined) return `known to ${facts.oldSystem}`;
  if (facts?.hashKind === undefined) return '–';
  return facts.upgradedAt === null ? facts.hashKind : `${facts.hashKind}, upgraded ${ago(facts.upgradedAt)}`;
}

function atText(at: number | null | undefined): string {
  return at == null ? 'never' : ago(at);
}

function Origin({ facts }: { readonly facts: MethodFacts | undefined }) {
  if (facts?.importJob == null) return <>signed up here</>;
  return <a href={linkTo('jobs', facts.importJob)}>an import</a>;
}
