import { carryover } from '../../process/called.ts';
import type { MoveStep } from '../client/moves.ts';
import { type Core, flagsFor, type ServerOptions } from '../client/server.ts';
import { CommandError, type Step } from '../command-error.ts';
import type { ConfirmOptions } from '../confirm/confirm.ts';

export interface MoveOptions extends ServerOptions, ConfirmOptions {
  readonly json?: boolean;
}

export interface StartOptions extends MoveOptions {
  readonly from: string;
  readonly source?: string;
}

export interface StepOptions extends MoveOptions, Omit<MoveStep, 'verb'> {
  readonly dryRun?: boolean;
}

export function statusStep(server: Core['server']): Step {
  return {
    command: `${carryover} move status${flagsFor(server)}`,
    reason: 'shows what is against the next step',
  };
}

export function noMove(): CommandError {
  return new CommandError(`The app has no move: '${carryover} move start' starts one`, {
    code: 'NO_MOVE_ERROR',
    cure: `start one: ${carryover} move start`,
  });
}
