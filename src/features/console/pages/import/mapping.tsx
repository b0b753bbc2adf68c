import { useState } from 'preact/hooks';

const fields = [
  'email',
  'passwordHash',
  'passwordSalt',
  'externalUserId',
  'isEmailVerified',
  'timeJoined',
  'phoneNumber',
  'isDisabled',
] as const;

interface MappingProps {
  /** As the command takes it: field=column. */
  readonly map: readonly string[];
  readonly onChange: (map: readonly string[]) => void;
}

/** Which column is which field: only where the format does not know it. */
export function Mapping({ map, onChange }: MappingProps) {
  const [isOpen, setOpen] = useState(map.length > 0);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>Columns that are called otherwise{map.length > 0 ? ` (${map.length})` : ''}</summary>
      {map.map((pair, at) => (
        <Pair
          key={at}
          pair={pair}
          onChange={(changed) => {
            onChange(map.map((each, place) => (place === at ? changed : each)));
          }}
          onRemove={() => {
            onChange(map.filter((_, place) => place !== at));
          }}
        />
      ))}
      <datalist id="fields">
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      <button
        type="button"
        class="quiet small"
        onClick={() => {
          onChange([...map, '=']);
        }}
      >
        Add a column
      </button>
    </details>
  );
}

interface PairProps {
  readonly pair: string;
  readonly onChange: (pair: string) => void;
  readonly onRemove: () => void;
}

function Pair({ pair, onChange, onRemove }: PairProps) {
  const [, field = '', column = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
  return (
    <div class="row">
      <label class="field">
        Field
        <input
          list="fields"
          value={field}
          onInput={({ currentTarget }) => {
            onChange(`${currentTarget.value}=${column}`);
          }}
        />
      </label>
      <label class="field">
        Column of the file
        <input
          value={column}
          onInput={({ currentTarget }) => {
            onChange(`${field}=${currentTarget.value}`);
          }}
        />
      </label>
      <button
        type="button"
        class="quiet small"
        aria-label={`Remove the mapping of ${field}`}
        onClick={onRemove}
      >
        Remove
      </button>
    </div>
  );
}
