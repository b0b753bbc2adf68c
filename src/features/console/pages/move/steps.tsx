import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { words } from '../format.ts';
import { type Doing, useDoing } from '../hooks.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { useMay } from '../session.tsx';
import type { MoveStatus, Stage } from './move-model.ts';

interface Foreseen {
  readonly verb: 'next' | 'back' | 'close';
  readonly answer: StepAnswer;
}

interface StepAnswer {
  readonly status: string;
  readonly message?: string;
  readonly stage?: Stage;
  readonly share?: number;
  readonly steps?: readonly string[];
  readonly objections?: readonly { readonly code: string; readonly message: string; readonly cure: string }[];
}

/** Each prints what it would do before it is done, as the command does. */
export function Steps({ move, onChange }: { readonly move: MoveStatus; readonly onChange: () => void }) {
  const may = useMay();
  const doing = useDoing();
  const [foreseen, setForeseen] = useState<Foreseen>();
  const [before, setBefore] = useState('');
  if (!may('move') || move.stage === 'closed' || move.stage === 'abandoned') return null;
  const refusedBefore = Number(before.replace(',', '.'));
  const body = {
    revision: move.revision,
    ...(before !== '' && Number.isFinite(refusedBefore) && { refusedBefore }),
  };
  const foresee = (verb: Foreseen['verb']): void => {
    doing.run(async () => {
      const answer = await call<StepAnswer>(`/move/${verb}`, {
        method: 'POST',
        body: { ...body, dryRun: true },
      });
      setForeseen({ verb, answer });
    });
  };
  const take = ({ verb }: Foreseen): void => {
    doing.run(async () => {
      const answer = await call<StepAnswer>(`/move/${verb}`, { method: 'POST', body });
      if (answer.status !== 'OK') throw new Error(answer.message ?? words(answer.status));
      setForeseen(undefined);
      onChange();
    });
  };
  const isLast = move.stage === 'leading' && move.share === 100;
  return (
    <section>
      <h2>Steps</h2>
      <div class="row wrap">
        <button
          type="button"
          disabled={doing.isBusy}
          onClick={() => {
            foresee(isLast ? 'close' : 'next');
          }}
        >
          {isLast ? 'Close the move…' : 'Next step…'}
        </button>
        {move.stage !== 'rehearsing' && (
          <button
            type="button"
            class="quiet"
            disabled={doing.isBusy}
            onClick={() => {
              foresee('back');
            }}
          >
            Step back…
          </button>
        )}
      </div>
      {foreseen === undefined && <Failure error={doing.error} />}
      {foreseen && (
        <StepDialog
          foreseen={foreseen}
          doing={doing}
          before={before}
          onBefore={setBefore}
          onAgain={() => {
            foresee('next');
          }}
          onTake={() => {
            take(foreseen);
          }}
          onClose={() => {
            setForeseen(undefined);
          }}
        />
      )}
    </section>
  );
}

interface StepDialogProps {
  readonly foreseen: Foreseen;
  readonly doing: Doing;
  /** Percent of the users who are refused in the old system, as typed. */
  readonly before: string;
  readonly onBefore: (text: string) => void;
  readonly onAgain: () => void;
  readonly onTake: () => void;
  readonly onClose: () => void;
}

const titles = { next: 'Take the next step?', back: 'Step back?', close: 'Close the move?' } as const;

/** What the step would do, before it is done. */
function StepDialog({ foreseen, doing, before, onBefore, onAgain, onTake, onClose }: StepDialogProps) {
  const { verb, answer } = foreseen;
  const needsRefusals = answer.objections?.some(({ code }) => code === 'REFUSALS_UNKNOWN') === true;
  return (
    <Confirm
      title={titles[verb]}
      action="Do it"
      isBusy={doing.isBusy || isRefused(foreseen)}
      onConfirm={onTake}
      onClose={onClose}
    >
      <Consequences answer={answer} />
      {needsRefusals && (
        <div class="row">
          <label class="field">
            Refused in the old system, percent of the users who try
            <input
              inputMode="decimal"
              value={before}
              placeholder="1.2"
              onInput={({ currentTarget }) => {
                onBefore(currentTarget.value);
              }}
            />
          </label>
          <button type="button" class="quiet" disabled={before === '' || doing.isBusy} onClick={onAgain}>
            Look again
          </button>
        </div>
      )}
      <Failure error={doing.error} />
    </Confirm>
  );
}

function isRefused({ answer: { status, objections = [] } }: Foreseen): boolean {
  return status !== 'OK' || objections.length > 0;
}

function Consequences({
  answer: { status, message, stage, share, steps = [], objections = [] },
}: {
  readonly answer: StepAnswer;
}) {
  return (
    <>
      {stage !== undefined && (
        <p>
          To {stage}
          {stage === 'leading' ? `, ${share ?? 0} % of the users` : ''}:
        </p>
      )}
      {steps.length > 0 && (
        <ul>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      )}
      {objections.map((each) => (
        <Note key={each.code} kind="warn" title={each.message}>
          {' '}
          {each.cure}
        </Note>
      ))}
      {status !== 'OK' && message !== undefined && <Note kind="bad">{message}</Note>}
    </>
  );
}
