import { call } from '../api.ts';
import { duration, words } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Failure, Note } from '../parts/note.tsx';
import { Differences, History, Processes, Share } from './cards.tsx';
import { type MoveAnswer, type MoveStatus, sentence, type Stage } from './move-model.ts';
import { Start } from './start.tsx';
import { Steps } from './steps.tsx';

const everyMs = 3000;

export function MovePage() {
  const { value, error, reload } = useLoaded(
    'move',
    (signal) => call<MoveAnswer>('/move/status', { signal }),
    everyMs,
  );
  return (
    <>
      <h1 tabIndex={-1}>Move</h1>
      <Failure error={error?.message} />
      {value?.status === 'NO_MOVE_ERROR' && <Start onStarted={reload} />}
      {value?.status === 'OK' && <Move move={value} onChange={reload} />}
    </>
  );
}

const stages: readonly (readonly [Stage, string])[] = [
  ['rehearsing', 'The old system leads. Dry runs, hash doctor, plan.'],
  ['following', 'The old system leads. What changes there comes here.'],
  ['leading', 'This core leads for a share of the users. The old system is still written.'],
  ['closed', 'This core leads.'],
];

function Move({ move, onChange }: { readonly move: MoveStatus; readonly onChange: () => void }) {
  const { stage, stageAt, objections, now } = move;
  return (
    <>
      <p class="lead">{sentence(move)}</p>
      <ol class="stages">
        {stages.map(([name, what]) => (
          <li key={name} aria-current={name === stage ? 'step' : undefined}>
            <strong>{words(name)}</strong>
            <span class="soft">{what}</span>
            {name === stage && <span class="tag">for {duration((now - stageAt) / 1000)}</span>}
          </li>
        ))}
      </ol>
      <Share move={move} />
      <section>
        <h2>What is against the next step</h2>
        {objections.length === 0 ? (
          <Note kind="good">Nothing.</Note>
        ) : (
          <ul class="objections">
            {objections.map(({ code, message, cure }) => (
              <li key={code}>
                <Note kind="warn" title={message}>
                  <br />
                  {cure}
                </Note>
              </li>
            ))}
          </ul>
        )}
      </section>
      <Steps move={move} onChange={onChange} />
      <Differences move={move} />
      <Processes move={move} />
      <History move={move} />
    </>
  );
}
