/** Why columns that many sources have are left out, in the words of the docs. */

export const noMeaningHere = 'Only the source can say what it means';
export const ofTheRow = 'It is of the row';
export const ofTheProfile = 'It is of the profile at the provider';
export const countedHere = 'Sign-ins here are counted from the first on';
export const inUsersFile = 'It is in the file of the users';
export const noWallets = 'There is no sign-in by a wallet';
