/** Columns that apps add to a table of users, as the providers of the exports read them. */

const words = ['disabled', 'banned', 'blocked', 'suspended'];

/** Whether somebody may sign in: `banned_at`, `is_blocked`, `active`. */
export const standingColumns: readonly string[] = [
  ...words.flatMap((word) => [word, `is_${word}`, `${word}_at`]),
  ...['active', 'is_active', 'deleted_at'],
];

export const nameColumns: readonly string[] = ['username', 'name', 'first_name', 'last_name'];
