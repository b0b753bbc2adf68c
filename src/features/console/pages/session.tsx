import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionView } from './api.ts';

export const Session = createContext<SessionView | undefined>(undefined);

/** Whether the session may do what one of these scopes allows. */
export function useMay(): (...scopes: readonly string[]) => boolean {
  const session = useContext(Session);
  return (...scopes) =>
    session !== undefined &&
    (session.scopes === 'all' || scopes.some((scope) => session.scopes.includes(scope)));
}
