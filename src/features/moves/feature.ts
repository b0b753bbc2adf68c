import { defineFeature } from '../feature.ts';
import { openMoves } from './operations.ts';
import { moveRoutes } from './routes.ts';
import { moveBodies, moveQueries } from './schema.ts';
import { journalTriggers } from './store/app-triggers.ts';

/** The move of an app from an old system, which takes weeks: stages, shares, and what speaks against the next step. */
export const moves = defineFeature({
  name: 'moves',
  bodies: moveBodies,
  queries: moveQueries,
  open: openMoves,
  routes: moveRoutes,
  sweep: (operations) => operations.tidy(),
  extend: ({ onPassword, onNewHash, mayUpgrade }) => ({ onPassword, onNewHash, mayUpgrade }),
  appTriggers: journalTriggers,
});
