/** Chooses the sample of a file with a table: in the declared place of the table, or a list whose elements look more like it. */

import { folded } from '../fields/declare.ts';
import { ExportFault, type Place, type SourceRow, type Table } from '../providers/provider.ts';
import { each, isSamePath, isWithin, jqPath, listUnder } from './list-path.ts';
import type { FileSample, SampledList } from './sample-of.ts';

/** A table in a file, as its sample shows it. */
export interface Chosen {
  readonly place: Place;
  readonly sample: FileSample;
}

interface Choice {
  readonly file: string;
  readonly table: Table;
  /** How certain it is that a sample is of the format. */
  readonly score: (sample: FileSample) => number;
}

/** Whether a table in this place may be in a file that begins like the sample. */
export function fits(place: Place, { format, root }: FileSample): boolean {
  if (place.format !== 'json') return place.format === format;
  const [key] = place.path;
  if (format !== 'json') return false;
  return key === undefined ? root === 'array' : root !== 'array' && root.includes(key);
}

/**
 * undefined if no sample has a form of the table.
 * @throws ExportFault if two lists may be it
 */
export function chosenFrom(samples: readonly FileSample[], choice: Choice): Chosen | undefined {
  const { table } = choice;
  const declared = declaredIn(samples, table);
  const lists = table.places.some(({ format }) => format === 'json') ? samples.filter(isOfList) : [];
  const rank = (sample: FileSample): number => rankOf(sample, choice);
  const usual =
    declared === undefined ? -1 : rankOfDeclared(listAt(declared, lists) ?? declared.sample, choice);
  // A line, one of many, is recognised only by a format's marks: its own lists may have emails, too.
  const isLine = !samples.some(({ format, list }) => format === 'json' && list === undefined);
  const least = isLine ? Math.max(usual, likeness) : Math.max(usual, 0);
  const best = Math.max(...lists.map(rank));
  if (best <= least) return declared;
  const likely = lists.filter((sample) => rank(sample) === best);
  const equal = likely.filter((sample) => !isOneOfMany(sample, likely));
  const [first] = equal;
  if (first === undefined) return declared;
  requireNoOther(equal, choice.file);
  return { place: placeFor(first, table), sample: first };
}

type OfList = FileSample & { readonly list: SampledList };

function isOfList(sample: FileSample): sample is OfList {
  return sample.list !== undefined;
}

function declaredIn(samples: readonly FileSample[], { places }: Table): Chosen | undefined {
  for (const sample of samples) {
    const place = sample.list === undefined ? places.find((each) => fits(each, sample)) : undefined;
    if (place !== undefined) return { place, sample };
  }
  return undefined;
}

/** The sample of the list in a declared place, whose first record may differ from the document's. */
function listAt({ place, sample }: Chosen, lists: readonly OfList[]): OfList | undefined {
  if (place.format !== 'json' || sample.isEnveloped === true) return undefined;
  const { steps } = listUnder(place.path);
  return lists.find(({ list }) => list.within === undefined && isSamePath(list.steps, steps));
}

/** Whether the record in an element is one of the records that another list has by their keys. */
function isOneOfMany({ list: { steps, within } }: OfList, others: readonly OfList[]): boolean {
  const holds = ({ list }: OfList): boolean =>
    list.steps.length === steps.length + 1 &&
    steps.every((step, place) => step === list.steps[place] || step === each) &&
    steps.some((step, place) => step !== list.steps[place]);
  return within !== undefined && others.some((other) => other.list.within === undefined && holds(other));
}

/** Less than any mark of a format. */
const likeness = 1;
/** For an id without any other field of the table: the record may be in an object next to it, as elasticdump's is in `_source`. */
const idAlone = 0.5;

function rankOfDeclared(sample: FileSample, choice: Choice): number {
  const isUser = choice.score(sample) > 0 || hasMoreThanId(sample.first, choice.table);
  return rankOf(sample, choice, isUser ? likeness : idAlone);
}

/** Whether the record itself has a field that identifies a user, or with which one signs in. */
function hasMoreThanId(row: SourceRow, { fields }: Table): boolean {
  const names = new Set(
    Object.values(fields)
      .filter(({ type, purpose }) => (purpose === 'identifies' && type !== 'id') || purpose === 'hash')
      .flatMap((field) => field.names.map(folded)),
  );
  return Object.keys(row).some((name) => names.has(folded(name)));
}

/** @param byId the rank of an id without an address */
function rankOf(sample: FileSample, { score, table }: Choice, byId = idAlone): number {
  if (looksLikeUser(sample.first)) return 2 * score(sample) + likeness;
  return 2 * score(sample) + (table.idOf(sample.first) === undefined ? 0 : byId);
}

const addresses: ReadonlySet<string> = new Set(
  'email mail emailaddress primaryemail useremail username phone phonenumber login'.split(' '),
);

function looksLikeUser(row: SourceRow): boolean {
  return Object.keys(row).some((name) => addresses.has(folded(name)));
}

/** @throws ExportFault for lists of which none is in the elements of the first */
function requireNoOther([first, ...others]: readonly OfList[], file: string): void {
  const { steps } = first?.list ?? { steps: [] };
  const other = others.find(({ list }) => !isSamePath(steps, list.steps) && !isWithin(steps, list.steps));
  if (other === undefined) return;
  const [one, two] = [steps, other.list.steps].map(jqPath);
  throw new ExportFault(
    `${file} has two lists that may be its users, ${one ?? ''} and ${two ?? ''}: write the one you mean into a file of its own, such as by jq -c '${one ?? ''}' FILE > users.ndjson`,
  );
}

/** The place of the same key, for the fields next to it. */
function placeFor({ list }: OfList, { places }: Table): Place {
  const key = list.steps.at(-2);
  const inJson = places.filter((place) => place.format === 'json');
  return inJson.find(({ path }) => path.at(-1) === key) ?? inJson[0] ?? { format: 'json', path: [] };
}
