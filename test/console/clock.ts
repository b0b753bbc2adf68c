/** A clock that tests set forward. */
export function clockOf(): { readonly now: () => number; readonly advance: (ms: number) => void } {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance: (ms) => {
      ahead += ms;
    },
  };
}
