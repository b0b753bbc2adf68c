import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { useLoaded } from '../hooks.ts';
import { FormatOptions } from './format-options.tsx';
import { formats } from './formats.ts';
import { Mapping } from './mapping.tsx';
import { choices, flags, texts } from './more-options.ts';
import type { RunInput, StagedFile } from './run-model.ts';

type Set = (change: Partial<RunInput>) => void;

interface OptionsProps {
  readonly input: RunInput;
  /** As it was recognised, if it was. */
  readonly format: string | undefined;
  readonly onChange: (input: RunInput) => void;
}

/** Only what matters for this file is asked; the rest is folded away. */
export function Options({ input, format, onChange }: OptionsProps) {
  const set: Set = (change) => {
    onChange({ ...input, ...change });
  };
  return (
    <div class="card">
      <div class="fields">
        <label class="field">
          Format
          <select
            value={input.from ?? ''}
            onChange={({ currentTarget: { value } }) => {
              set({ from: value, ...ofFormat(input, value === '' ? format : value) });
            }}
          >
            <option value="">
              {format === undefined
                ? 'as the content shows'
                : `recognised: ${formats[format]?.name ?? format}`}
            </option>
            <FormatOptions />
          </select>
        </label>
        <OfFormat input={input} format={input.from ?? format ?? ''} set={set} />
      </div>
      <Mapping
        map={input.map ?? []}
        onChange={(map) => {
          set({ map });
        }}
      />
      <More input={input} set={set} />
    </div>
  );
}

/** Further files and keys of another format would be refused, and are no longer shown. */
function ofFormat({ related = {}, secrets = {} }: RunInput, format = ''): Partial<RunInput> {
  const { files = {}, secrets: keys = {} } = formats[format] ?? {};
  const within = (values: Readonly<Record<string, string>>, known: object) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in known));
  return { related: within(related, files), secrets: within(secrets, keys) };
}

interface OfFormatProps {
  readonly input: RunInput;
  readonly format: string;
  readonly set: Set;
}

/** Its further files and its keys, and users with known passwords. */
function OfFormat({ input, format, set }: OfFormatProps) {
  const files = useLoaded(
    'files of options',
    async (signal) => (await call<{ files: readonly StagedFile[] }>('/console/files', { signal })).files,
  );
  const known = formats[format];
  const others = (files.value ?? []).filter(({ id }) => input.files?.includes(id) !== true);
  return (
    <>
      {Object.entries(known?.files ?? {}).map(([option, label]) => (
        <FileField
          key={option}
          label={label}
          files={others}
          value={input.related?.[option]}
          onChange={(id) => {
            set({ related: withoutEmpty({ ...input.related, [option]: id }) });
          }}
        />
      ))}
      <FileField
        label="Known passwords (CSV: email,password)"
        files={others}
        value={input.canaries}
        onChange={(id) => {
          set({ canaries: id });
        }}
      />
      {Object.entries(known?.secrets ?? {}).map(([name, label]) => (
        <label key={name} class="field">
          {label}
          <input
            type="password"
            autocomplete="off"
            value={input.secrets?.[name] ?? ''}
            onInput={({ currentTarget }) => {
              set({ secrets: withoutEmpty({ ...input.secrets, [name]: currentTarget.value }) });
            }}
          />
        </label>
      ))}
    </>
  );
}

function More({ input, set }: Pick<OfFormatProps, 'input' | 'set'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>More options</summary>
      <div class="fields">
        {texts.map(([name, label, hint]) => (
          <label key={name} class="field">
            {label}
            <input
              value={textOf(input[name])}
              placeholder={hint}
              spellcheck={false}
              onInput={({ currentTarget }) => {
                set({ [name]: currentTarget.value });
              }}
            />
          </label>
        ))}
        {choices.map(([name, label, values]) => (
          <label key={name} class="field">
            {label}
            <select
              value={textOf(input[name])}
              onChange={({ currentTarget }) => {
                set({ [name]: currentTarget.value });
              }}
            >
              {values.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {flags.map(([name, label]) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={input[name] === true}
            onChange={({ currentTarget }) => {
              set({ [name]: currentTarget.checked });
            }}
          />{' '}
          {label}
        </label>
      ))}
    </details>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function withoutEmpty(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

interface FileFieldProps {
  readonly label: string;
  readonly files: readonly StagedFile[];
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
}

function FileField({ label, files, value = '', onChange }: FileFieldProps) {
  return (
    <label class="field">
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
        }}
      >
        <option value="">{files.length === 0 ? 'drop it on the page before' : 'none'}</option>
        {files.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
