import { Refusal } from '../../domain/errors.ts';
import { refusalReply } from './replies.ts';

export const tooManyStreams = refusalReply(
  new Refusal(
    'OVERLOADED',
    'As many uploads are under way as import_memory_budget_mb holds: try again later',
  ),
);
export const tooManyBodies = refusalReply(
  new Refusal('OVERLOADED', 'As many large bodies are under way as there is memory for: try again later', {
    retryAfterSeconds: 1,
  }),
);
export const shuttingDown = refusalReply(new Refusal('SHUTTING_DOWN'));
export const callerLeft = new Refusal('CALLER_LEFT');
