/** The users with an account at the stand-in provider. */
export interface Person {
  /** The provider's own id of the person, which the old system stored and exported. */
  readonly sub: string;
  readonly name: string;
  readonly email: string;
}

export const people: readonly Person[] = [
  { sub: '107654321098765432109', name: 'Donald Knuth', email: 'donald@example.com' },
  { sub: '103141592653589793238', name: 'Nina Neu', email: 'nina@example.com' },
];
