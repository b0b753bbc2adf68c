import type { OpenStores } from '../../../store/store.ts';
import { hashRuleStore, type HashRuleStore } from './hash-rules.ts';
import { journalStore, type JournalStore } from './journal.ts';
import { leaseStore, type LeaseStore } from './leases.ts';
import { moveStore, type MoveStore } from './moves.ts';
import { passwordStore, type PasswordStore } from './passwords.ts';
import { type MoveReceiptStore, moveReceiptStore } from './receipts.ts';
import { countOutcome, type Outcome } from './outcomes.ts';
import { type Asked, findPerson } from './people.ts';
import type { Round } from '../model.ts';

export interface MoveStores {
  readonly moves: MoveStore;
  readonly leases: LeaseStore;
  readonly journal: JournalStore;
  readonly passwords: PasswordStore;
  readonly hashRules: HashRuleStore;
  readonly receipts: MoveReceiptStore;
  readonly people: PersonStore;
  readonly outcomes: OutcomeStore;
}

export interface OutcomeStore {
  /** @returns the round, if the user counts now; null if not yet, before, or not at all */
  count(outcome: Outcome): Promise<Round | null>;
}

export interface PersonStore {
  /** @returns the text that stands for the person */
  find(asked: Asked): Promise<string>;
}

export function openMoveStores(open: OpenStores): MoveStores {
  return {
    moves: open(({ live }) => moveStore(live)),
    journal: open(({ live }) => journalStore(live)),
    passwords: open(({ live }) => passwordStore(live)),
    hashRules: open(({ live }) => hashRuleStore(live)),
    leases: open(({ live }) => leaseStore(live)),
    receipts: open(({ live }) => moveReceiptStore(live)),
    people: open(({ batches }) => ({ find: batches.add(findPerson) })),
    outcomes: open(({ batches }) => ({ count: batches.add(countOutcome) })),
  };
}
