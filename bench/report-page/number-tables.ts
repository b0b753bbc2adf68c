/** The numbers of a picture. */
import type { Series } from '../scenario.ts';
import type { Picture } from './pictures.ts';
import { valueAt, wordsOf } from './results.ts';
import { escape, format } from './text.ts';

/** So many rows of a curve are read by a person; all of them stand in results.json. */
const rowsShown = 24;

/** A picture's numbers: one table where its series share their places, one for each series where they do not. */
export function numberTables(series: readonly Series[], { axes }: Picture): string {
  const places = wordsOf(series);
  const longest = Math.max(...series.map(({ points }) => points.length));
  if (places.length <= longest * 1.5) return numberTable('', series, axes);
  return series.map((each) => numberTable(each.name, [each], axes)).join('\n');
}

function numberTable(caption: string, series: readonly Series[], axes: Picture['axes']): string {
  const all = placesInOrder(series);
  const every = Math.ceil(all.length / rowsShown);
  const places = all.filter((_, n) => n % every === 0 || n === all.length - 1);
  const note = every > 1 ? `1 in ${every} of ${all.length} values` : '';
  const title = [caption, note].filter((text) => text !== '').join(' · ');
  const heads = caption === '' ? series.map(({ name }) => `${name}, ${axes.y}`) : [axes.y];
  const rows = places.map((place) => {
    const cells = series.map((each) => `<td>${format(valueAt(each, place))}</td>`).join('');
    return `<tr><th scope="row">${escape(placeName(place))}</th>${cells}</tr>`;
  });
  return `<table class="numbers">${title === '' ? '' : `<caption>${escape(title)}</caption>`}
<thead><tr><th scope="col">${escape(axes.x)}</th>${heads.map((head) => `<th scope="col">${escape(head)}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
}

/** Numbers by size, words as they came. */
function placesInOrder(series: readonly Series[]): string[] {
  const isNumeric = series.every(({ points }) => points.every(([x]) => typeof x === 'number'));
  const places = wordsOf(series);
  return isNumeric ? places.toSorted((a, b) => Number(a) - Number(b)) : places;
}

function placeName(place: string): string {
  const number = Number(place);
  return Number.isFinite(number) && Math.abs(number) >= 1000 ? format(number) : place;
}
