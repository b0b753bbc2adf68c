import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call, onExpiry, setSession, type SessionView } from './api.ts';
import { messageOf } from './hooks.ts';
import { Note } from './parts/note.tsx';
import { Session } from './session.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

type Known = { readonly is: 'unknown' } | { readonly is: 'in'; readonly session: SessionView } | Out;
interface Out {
  readonly is: 'out';
  readonly notice?: string;
}

interface SignedOut {
  readonly status: 'SIGNED_OUT';
  /** false: the core requires no key. */
  readonly needsKey: boolean;
}

/** A session of a dashboard user is looked at again by the core before it is two minutes old. */
const renewMs = 60_000;

const ended = 'The session has ended. Nothing was lost: sign in again.';

function Console() {
  const [known, setKnown] = useState<Known>({ is: 'unknown' });
  const [error, setError] = useState<string>();
  const enter = (session: SessionView): void => {
    setSession(session);
    setKnown({ is: 'in', session });
  };
  const look = async (): Promise<void> => {
    const answer = await call<SessionView | SignedOut>('/console/session', { isSignIn: true });
    if (answer.status === 'OK') enter(answer);
    else if (!answer.needsKey)
      enter(await call<SessionView>('/console/session', { method: 'POST', body: {} }));
    else
      setKnown((before) => {
        if (before.is === 'out') return before;
        return before.is === 'in' ? { is: 'out', notice: ended } : { is: 'out' };
      });
  };
  useEffect(() => {
    onExpiry(() => {
      look().catch(() => undefined);
    });
    look().catch((failure: unknown) => {
      setError(messageOf(failure));
    });
    const timer = setInterval(() => {
      look().catch(() => undefined);
    }, renewMs);
    return () => {
      clearInterval(timer);
    };
  }, []);
  if (known.is === 'unknown') return error === undefined ? null : <Note kind="bad">{error}</Note>;
  if (known.is === 'out') return <SignIn onSignedIn={enter} notice={known.notice} />;
  const leave = (): void => {
    call('/console/session', { method: 'DELETE' }).then(
      () => {
        setKnown({ is: 'out' });
      },
      (failure: unknown) => {
        setError(messageOf(failure));
      },
    );
  };
  return (
    <Session.Provider value={known.session}>
      <Shell onLeave={leave} />
    </Session.Provider>
  );
}

const root = document.getElementById('console');
if (root !== null) render(<Console />, root);
