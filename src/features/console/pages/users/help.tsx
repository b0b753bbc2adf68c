import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { plural } from '../format.ts';
import { useDoing } from '../hooks.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { go } from '../router.ts';
import { useMay } from '../session.tsx';
import type { Reason, User } from './user-model.ts';

interface Done {
  readonly text: string;
  /** To give to the user, shown once. */
  readonly token?: string;
}

const post = (path: string, body: object) =>
  call<{ status: string; token?: string }>(path, { method: 'POST', body });

/** Each gives what to say afterwards. */
const acts = {
  reset: async (user: User): Promise<Done> => {
    const email = await emailOf(user);
    const { token = '' } = await post('/recipe/user/password/reset/token', { userId: user.id, email });
    return { text: 'A token to reset the password: your app’s page for resets takes it. Shown once.', token };
  },
  verify: async (user: User): Promise<Done> => {
    const email = await emailOf(user);
    const answer = await post('/recipe/user/email/verify/token', { userId: user.id, email });
    if (answer.status === 'EMAIL_ALREADY_VERIFIED_ERROR') return { text: 'The email is verified already.' };
    const text = 'A token to verify the email: your app’s page for it takes it. Shown once.';
    return { text, token: answer.token ?? '' };
  },
  endSessions: async ({ id: userId }: User): Promise<Done> => {
    const everywhere = { revokeAcrossAllTenants: true, revokeSessionsForLinkedAccounts: true };
    await post('/recipe/session/remove', { userId, ...everywhere });
    return { text: 'All sessions are ended.' };
  },
  lift: async ({ id: userId }: User): Promise<Done> => {
    const body = { userId, isDisabled: false, isHeld: false };
    await call('/user/restrictions', { method: 'PUT', body });
    return { text: 'The restriction is lifted: the password alone signs the user in.' };
  },
} as const;

interface HelpProps {
  readonly user: User;
  readonly reasons: readonly Reason[];
  readonly sessions: number | undefined;
  readonly onDone: () => void;
}

/** What support does for a user. Each is in the audit log. */
export function Help({ user, reasons, sessions = 0, onDone }: HelpProps) {
  const may = useMay();
  const doing = useDoing();
  const [done, setDone] = useState<Done>();
  const act = (name: keyof typeof acts, text: string) => (
    <button
      type="button"
      class="quiet"
      disabled={doing.isBusy}
      onClick={() => {
        setDone(undefined);
        doing.run(async () => {
          setDone(await acts[name](user));
          onDone();
        });
      }}
    >
      {text}
    </button>
  );
  const isRestricted = reasons.some(({ weight }) => weight === 'stops');
  const hasPassword = user.loginMethods.some(({ recipeId }) => recipeId === 'emailpassword');
  return (
    <section>
      <h2>Help</h2>
      <div class="row wrap">
        {may('sign-in') && hasPassword && act('reset', 'Make a reset link')}
        {may('sign-in') && user.emails.length > 0 && act('verify', 'Make a verification link')}
        {may('sign-in') && sessions > 0 && act('endSessions', `End ${plural(sessions, 'session')}`)}
        {may('admin') && isRestricted && act('lift', 'Lift the restriction')}
        {may('admin') && <Remove userId={user.id} />}
      </div>
      {done && (
        <Note kind="good">
          {done.text}
          {done.token !== undefined && <code class="token">{done.token}</code>}
        </Note>
      )}
      <Failure error={doing.error} />
    </section>
  );
}

function Remove({ userId }: { readonly userId: string }) {
  const doing = useDoing();
  const [isAsked, setAsked] = useState(false);
  const remove = (): void => {
    doing.run(async () => {
      await post('/user/remove', { userId });
      setAsked(false);
      go('users');
    });
  };
  return (
    <>
      <button
        type="button"
        class="quiet danger"
        onClick={() => {
          setAsked(true);
        }}
      >
        Remove the user…
      </button>
      {isAsked && (
        <Confirm
          title="Remove this user?"
          action="Remove"
          isDanger
          isBusy={doing.isBusy}
          onConfirm={remove}
          onClose={() => {
            setAsked(false);
          }}
        >
          <p>
            All ways to sign in, sessions, roles and metadata go with it. It cannot be undone; an import of
            the same source does not bring the user back.
          </p>
          <Failure error={doing.error} />
        </Confirm>
      )}
    </>
  );
}

/** Tokens are made for an email, and the page has it masked: so the asking is in the audit log. */
async function emailOf({ id }: User): Promise<string> {
  const { user } = await call<{ user?: User }>('/console/user/reveal', {
    method: 'POST',
    body: { userId: id },
  });
  const methods = user?.loginMethods ?? [];
  const own = methods.find(({ recipeId, email }) => recipeId === 'emailpassword' && email !== undefined);
  const email = own?.email ?? user?.emails[0];
  if (email === undefined) throw new Error('The user has no email.');
  return email;
}
