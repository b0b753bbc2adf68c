/** A queue in order of arrival, as a doubly linked list: members leave in constant time from either end or from the middle. */
export class Line<Member> {
  readonly #ends: Place<Member>;
  #length = 0;

  constructor() {
    // A ring around an empty node, so that no end is a special case.
    const ends: Place<Member> = { member: undefined, before: undefined, after: undefined };
    ends.before = ends;
    ends.after = ends;
    this.#ends = ends;
  }

  get length(): number {
    return this.#length;
  }

  get oldest(): Member | undefined {
    return this.#ends.after?.member;
  }

  get newest(): Member | undefined {
    return this.#ends.before?.member;
  }

  /** @returns a function that removes it; a second call does nothing */
  add(member: Member): () => void {
    const place: Place<Member> = { member, before: this.#ends.before, after: this.#ends };
    if (place.before) place.before.after = place;
    this.#ends.before = place;
    this.#length += 1;
    return () => {
      this.#remove(place);
    };
  }

  #remove(place: Place<Member>): void {
    if (place.before === undefined || place.after === undefined) return;
    place.before.after = place.after;
    place.after.before = place.before;
    place.before = undefined;
    place.after = undefined;
    this.#length -= 1;
  }
}

interface Place<Member> {
  readonly member: Member | undefined;
  before: Place<Member> | undefined;
  after: Place<Member> | undefined;
}
