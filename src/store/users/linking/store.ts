import type { LinkingStore } from '../../../operations/ports/linking.ts';
import type { Database } from '../../../database/database.ts';
import { link, makePrimary } from './link.ts';
import { unlink } from './unlink.ts';

/** Links login methods into users: see rivals.ts for the rule between primary users. */
export function linkingStore(database: Database): LinkingStore {
  const { read } = database;
  return {
    makePrimary: (appNo, id) => database.transaction((query) => makePrimary(query, appNo, id, 'do')),
    mayBePrimary: (appNo, id) => makePrimary(read, appNo, id, 'ask'),
    link: (linking) => database.transaction((query) => link(query, linking, 'do')),
    mayLink: (linking) => link(read, linking, 'ask'),
    unlink: (appNo, id) => database.transaction((query) => unlink(query, appNo, id)),
  };
}
