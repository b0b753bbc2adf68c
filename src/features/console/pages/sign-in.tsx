import { useState } from 'preact/hooks';
import { call, type SessionView } from './api.ts';
import { useDoing } from './hooks.ts';
import { Failure, Note } from './parts/note.tsx';

interface SignInProps {
  readonly onSignedIn: (session: SessionView) => void;
  /** Said above the form, such as that the session has ended. */
  readonly notice?: string | undefined;
}

type Answer = SessionView | { readonly status: 'INVALID_CREDENTIALS_ERROR' };

const isSecure = location.protocol === 'https:';

export function SignIn({ onSignedIn, notice }: SignInProps) {
  const [by, setBy] = useState<'key' | 'password'>('key');
  const doing = useDoing();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => {
      const value = given.get(name);
      return typeof value === 'string' ? value : '';
    };
    const body =
      by === 'key'
        ? { key: text('key').trim(), isSecure }
        : { email: text('email'), password: text('password'), isSecure };
    doing.run(async () => {
      const answer = await call<Answer>('/console/session', { method: 'POST', body, isSignIn: true });
      if (answer.status === 'OK') onSignedIn(answer);
      else
        throw new Error(
          by === 'key'
            ? 'The core does not know this key. It is in data/api-key, or the setting api_keys or named_keys.'
            : 'No dashboard user has this email and password. carryover dashboard-user adds one.',
        );
    });
  };
  return (
    <main class="sign-in">
      <h1>
        <img src={iconUrl} alt="" width="32" height="32" /> carryover
      </h1>
      {notice !== undefined && <Note kind="warn">{notice}</Note>}
      <form onSubmit={submit}>
        <fieldset class="choice">
          <legend class="hidden">Sign in with</legend>
          {(['key', 'password'] as const).map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="by"
                checked={by === each}
                onChange={() => {
                  setBy(each);
                  doing.clear();
                }}
              />
              {each === 'key' ? 'API key' : 'Dashboard user'}
            </label>
          ))}
        </fieldset>
        {by === 'key' ? (
          <label class="field">
            API key
            <input name="key" type="password" autocomplete="off" required autofocus spellcheck={false} />
          </label>
        ) : (
          <>
            <label class="field">
              Email
              <input name="email" type="email" autocomplete="username" required />
            </label>
            <label class="field">
              Password
              <input name="password" type="password" autocomplete="current-password" required />
            </label>
          </>
        )}
        <Failure error={doing.error} />
        <button type="submit" disabled={doing.isBusy}>
          Sign in
        </button>
        <p class="soft">
          What the key may do, the console may do. It is kept in no script, and forgotten after 12 hours.
        </p>
      </form>
    </main>
  );
}

const iconUrl = new URL('./icon.svg', import.meta.url).href;
