/** Pages by the fragment of the address, so that the core serves one page, under any prefix. */
import { useEffect, useState } from 'preact/hooks';

export interface Place {
  /** Such as `users`. */
  readonly page: string;
  /** What follows it, such as a user's id. */
  readonly id: string | undefined;
}

export function placeOf(fragment: string): Place {
  const [page = '', id] = fragment.replace(/^#\/?/, '').split('/');
  return { page: page === '' ? 'import' : page, id: id === undefined ? undefined : decodeURIComponent(id) };
}

export function usePlace(): Place {
  const [place, setPlace] = useState(placeOf(location.hash));
  useEffect(() => {
    const change = (): void => {
      setPlace(placeOf(location.hash));
      document.querySelector<HTMLElement>('main h1')?.focus();
    };
    addEventListener('hashchange', change);
    return () => {
      removeEventListener('hashchange', change);
    };
  }, []);
  return place;
}

export function linkTo(page: string, id?: string): string {
  return id === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(id)}`;
}

export function go(page: string, id?: string): void {
  location.hash = linkTo(page, id);
}
