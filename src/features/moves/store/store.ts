import type { OpenStores } from '../../../store/store.ts';
import { leaseStore, type LeaseStore } from './leases.ts';
import { moveStore, type MoveStore } from './moves.ts';
import { type Asked, findPerson } from './people.ts';

export interface MoveStores {
  readonly moves: MoveStore;
  readonly leases: LeaseStore;
  readonly people: PersonStore;
}

export interface PersonStore {
  /** @returns the text that stands for the person */
  find(asked: Asked): Promise<string>;
}

export function openMoveStores(open: OpenStores): MoveStores {
  return {
    moves: open(({ live }) => moveStore(live)),
    leases: open(({ live }) => leaseStore(live)),
    people: open(({ batches }) => ({ find: batches.add(findPerson) })),
  };
}
