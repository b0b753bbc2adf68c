import { carryover } from '../../process/called.ts';
import { moveStatus, moveStep, type MoveStep, type ObjectionView, type StepView } from '../client/moves.ts';
import { type Core, withCore } from '../client/server.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { confirm } from '../confirm/confirm.ts';
import { asJson } from '../output/answer.ts';
import { printable } from '../output/format.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { noMove, type StepOptions, statusStep } from './options.ts';
import { objectionLines, standingText } from './text.ts';

/** `move next`, `back`, `close`: prints the steps, and takes the step that was printed or none. */
export async function takeStep(
  verb: MoveStep['verb'],
  options: StepOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { dryRun = false, share, refusedBefore, abandon } = options;
  const wanted = { verb, share, refusedBefore, abandon };
  const signal = surroundings.interrupt;
  return withCore({ ...options, writes: true }, surroundings, async (core) => {
    const move = await moveStatus(core.client, signal);
    const revision = move?.revision;
    const foreseen = requireStep(await moveStep(core.client, wanted, { dryRun: true, revision, signal }));
    const shown = { verb, step: foreseen, core, options, surroundings };
    if (options.json !== true) tell(surroundings, stepsText(foreseen));
    if (dryRun || foreseen.objections.length > 0) return end({ ...shown, isTaken: false });
    await confirm(
      { lines: [], would: { ...standingOf(foreseen), steps: foreseen.steps } },
      options,
      surroundings,
    );
    const taken = await moveStep(core.client, wanted, { dryRun: false, revision, signal });
    if (taken.status === 'STEP_REFUSED_ERROR')
      return end({ ...shown, step: { ...foreseen, ...taken, status: 'OK' }, isTaken: false });
    return end({ ...shown, step: requireStep(taken), isTaken: true });
  });
}

/** @throws CommandError if there is no such step */
function requireStep(answer: Awaited<ReturnType<typeof moveStep>>): StepView {
  switch (answer.status) {
    case 'OK':
      return answer;
    case 'NO_MOVE_ERROR':
      throw noMove();
    case 'NO_SUCH_STEP_ERROR': {
      const { message, cure, status } = answer;
      throw new CommandError(`${message}: ${cure}`, { code: status, cure });
    }
    case 'STEP_REFUSED_ERROR':
    case 'MOVE_CHANGED_ERROR':
      throw new CommandError(
        `Another step was taken in the meantime: look at '${carryover} move status' first`,
        {
          code: answer.status,
          cure: 'look at the status, and decide again',
        },
      );
  }
}

interface Ended {
  readonly verb: MoveStep['verb'];
  readonly step: StepView;
  readonly isTaken: boolean;
  readonly core: Core;
  readonly options: StepOptions;
  readonly surroundings: Surroundings;
}

/** Prints what became of the step. @returns refused if something is against it */
function end({ verb, step: of, isTaken, core, options, surroundings }: Ended): ExitCode {
  const { objections, steps, from } = of;
  const { json, dryRun = false } = options;
  const isRefused = !isTaken && objections.length > 0;
  if (json === true) {
    const body = { ...standingOf(of), from, dryRun, steps, objections };
    surroundings.stdout.write(
      asJson(`move ${verb}`, { ...body, ...(isRefused && { status: 'REFUSED' }) }, [statusStep(core.server)]),
    );
  } else tell(surroundings, endText(of, isTaken, objections));
  return isRefused ? exitCodes.refused : exitCodes.ok;
}

function standingOf({ stage, share }: StepView): Pick<StepView, 'stage' | 'share'> {
  return { stage, share };
}

function stepsText(to: StepView): string {
  const lines = to.steps.map((each, at) => `  ${at + 1}. ${printable(each)}`);
  return `${[`From ${standingText(to.from)} to ${standingText(to)}:`, ...lines].join('\n')}\n`;
}

function endText(to: StepView, isTaken: boolean, objections: readonly ObjectionView[]): string {
  if (isTaken) return `Done: ${standingText(to)}\n`;
  if (objections.length === 0) return 'Dry run, nothing is changed: nothing is against it\n';
  return `${['Nothing is changed. Against it:', ...objectionLines(objections)].join('\n')}\n`;
}
