/** The people of the scenarios, by number: the load generator and whoever imports them agree on these names. */

export function emailOf(n: number): string {
  return `person-${n}@signs.in`;
}

export function externalIdOf(n: number): string {
  return `person-${n}`;
}

/** bcrypt of `correct horse battery staple` at cost 10, where it does not matter what the hash is. */
export const someHash = '$2b$10$pz9wj5VnjseLzsZIFntXOuDZ9rinO8n6eeLztHLbWBhy4vM3QFXTa';
