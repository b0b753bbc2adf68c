/** The sources run in a clone, where npx finds the command; the built package has put it on the PATH. */
const isClone = import.meta.url.endsWith('.ts');

/** How the user calls this command. */
export const carryover = isClone ? 'npx --no carryover' : 'carryover';

/** How the user starts a core. */
export const startCore = isClone ? 'npm start' : 'carryover serve';
