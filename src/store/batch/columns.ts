/**
 * Inputs of a statement, each declared once with its name, SQL type and value. The text's `$1::int` and the list of parameters are made
 * from that, so two of them cannot be exchanged by mistake.
 */

import { plainArray, textArray } from '../../domain/pg-array.ts';
import type { Parameter } from '../../database/database.ts';

/** A value by the type of its input; undefined is NULL. */
interface ValueOf {
  readonly uuid: string | undefined;
  readonly smallint: number | undefined;
  readonly int: number | undefined;
  /** A number holds 53 bits. */
  readonly bigint: number | undefined;
  readonly bool: boolean | undefined;
  /** Without U+0000. */
  readonly text: string | undefined;
  /** Text that needs no quoting in an array, such as hexadecimal digits; `text` in SQL. */
  readonly digits: string | undefined;
}

type InputType = keyof ValueOf;

/** The type of an input and its value for an item. */
type Input<Item> = {
  readonly [Type in InputType]: readonly [Type, (item: Item) => ValueOf[Type]];
}[InputType];

/** Inputs by name, in any order. */
type Inputs<Item> = Readonly<Record<string, Input<Item>>>;

function sqlTypeOf(type: InputType): string {
  return type === 'digits' ? 'text' : type;
}

export interface InputColumns<Item> {
  /** `unnest($1::int[], …) as i (app_no, …)` */
  as(relation: string): string;
  /** The same with ordinality: `i` also has `n`, which counts from 1. */
  numberedAs(relation: string): string;
  /** The columns as array literals, one parameter each. */
  readonly parameters: (items: readonly Item[]) => string[];
}

/**
 * Inputs of the items of a batch, as columns.
 * @param first number of the first parameter
 */
export function inputColumns<Item>(inputs: Inputs<Item>, first = 1): InputColumns<Item> {
  const types = Object.values(inputs).map(([type], place) => `$${first + place}::${sqlTypeOf(type)}[]`);
  const unnested = `unnest(${types.join(', ')})`;
  const names = Object.keys(inputs).join(', ');
  return {
    as: (relation) => `${unnested} as ${relation} (${names})`,
    numberedAs: (relation) => `${unnested}\n        with ordinality as ${relation} (${names}, n)`,
    parameters: (items) => Object.values(inputs).map((input) => columnOf(input, items)),
  };
}

function columnOf<Item>([type, value]: Input<Item>, items: readonly Item[]): string {
  return type === 'text' ? textArray(items, value) : plainArray(items, value);
}

export interface SingleInputs<Name extends string, Source> {
  /** By the input's name: `$1::int`. */
  readonly $: Readonly<Record<Name, string>>;
  parameters(source: Source): Parameter[];
}

/** Inputs of a statement for a single item. The first is `$1`. */
export function singleInputs<Source>() {
  return <Name extends string>(inputs: Readonly<Record<Name, Input<Source>>>): SingleInputs<Name, Source> => {
    const all = Object.entries<Input<Source>>(inputs);
    const named = all.map(([name, [type]], place) => [name, `$${place + 1}::${sqlTypeOf(type)}`]);
    return {
      $: Object.fromEntries(named) as Record<Name, string>,
      parameters: (source) => all.map(([, [, value]]) => value(source) ?? null),
    };
  };
}
