import { type Arrived, Lane } from './lane.ts';

/** An app, by its number; undefined for the core itself. */
export type Party = number | undefined;

/** Empty lanes that are remembered, because they may be overloaded. */
const maxIdle = 1000;
/** ms: if another party had a task within this time, a thread is left free for it. */
const activeMs = 3_600_000;

/**
 * The lanes of all parties. The lane that was given the least time goes first (start-time fair queueing: P. Goyal et al., SIGCOMM
 * 1996), so a party with costly tasks delays only itself.
 */
export class Lanes<Entry extends Arrived> {
  readonly #waitLimitMs: number;
  readonly #lanes = new Map<Party, Lane<Entry>>();
  /** Lanes with tasks. */
  readonly #active = new Map<Party, Lane<Entry>>();
  /** The two most recent parties, apps only. */
  #last: { readonly party: Party; atMs: number } | undefined;
  #another: { readonly party: Party; readonly atMs: number } | undefined;
  /** A new lane begins with the time of the lane that was chosen last. */
  #servedMs = 0;

  constructor(waitLimitMs: number) {
    this.#waitLimitMs = waitLimitMs;
  }

  get active(): ReadonlyMap<Party, Lane<Entry>> {
    return this.#active;
  }

  of(party: Party): Lane<Entry> {
    const known = this.#lanes.get(party);
    if (known !== undefined) return known;
    const lane = new Lane<Entry>(this.#waitLimitMs);
    this.#lanes.set(party, lane);
    if (this.#lanes.size > maxIdle + this.#active.size) this.#forgetOne(party);
    return lane;
  }

  add(party: Party, entry: Entry, nowMs: number): () => void {
    const lane = this.of(party);
    if (lane.length === 0) lane.servedMs = Math.max(lane.servedMs, this.#servedMs);
    this.#active.set(party, lane);
    this.#noteArrival(party, nowMs);
    return lane.add(entry);
  }

  left(party: Party): void {
    if (this.of(party).length === 0) this.#active.delete(party);
  }

  /** @param ms estimated for the party's task */
  served(party: Party, ms: number): void {
    const lane = this.of(party);
    this.#servedMs = Math.max(this.#servedMs, lane.servedMs);
    lane.servedMs += ms;
  }

  /** Sorted by the time that they were given. */
  inTurn(): readonly (readonly [Party, Lane<Entry>])[] {
    if (this.#active.size < 2) return [...this.#active];
    return [...this.#active].sort(([, one], [, other]) => one.servedMs - other.servedMs);
  }

  /** The lane of another party with more tasks than this one would have with one more. */
  longerThan(party: Party): Lane<Entry> | undefined {
    let longest: Lane<Entry> | undefined;
    for (const [other, lane] of this.#active)
      if (other !== party && lane.length > (longest?.length ?? this.of(party).length + 1)) longest = lane;
    return longest;
  }

  othersWait(party: Party): boolean {
    return this.#active.size > (this.#active.has(party) ? 1 : 0);
  }

  /** Whether another app had a task within the hour. */
  othersCame(party: Party, nowMs: number): boolean {
    const other = this.#last?.party === party ? this.#another : this.#last;
    return other !== undefined && nowMs - other.atMs < activeMs;
  }

  #noteArrival(party: Party, atMs: number): void {
    if (party === undefined) return;
    if (this.#last?.party === party) this.#last.atMs = atMs;
    else [this.#last, this.#another] = [{ party, atMs }, this.#last];
  }

  #forgetOne(except: Party): void {
    for (const [party] of this.#lanes) {
      if (party === except || this.#active.has(party)) continue;
      this.#lanes.delete(party);
      return;
    }
  }
}
