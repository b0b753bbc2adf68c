/** Firebase's CSV, which writes line breaks and commas in names unquoted: a row never becomes a partial user. */
import { expect, it } from 'vitest';
import { textOf, useExportFiles } from '../helpers/export-files.ts';

const { fileOf, sourceOf, converted } = useExportFiles();

/** A user with a number of cells; the 27th states whether the user is disabled. */
function row(id: string, name: string, { cells = 29, disabled = 'false' } = {}): string {
  const all = Array.from({ length: cells }, () => '');
  all.splice(0, 6, id, `${id}@example.com`, 'true', '', '', name);
  all.splice(7, 1, `google-${id}`);
  if (cells > 27) all.splice(26, 1, disabled);
  return all.join(',');
}

async function usersOf(
  content: string,
): Promise<readonly [ids: readonly string[], rejects: readonly string[]]> {
  const source = { ...(await sourceOf(fileOf(content), { from: 'firebase' })), isPartial: true };
  const batches = await converted(source);
  const lines = textOf(batches)
    .split('\n')
    .filter((line) => line !== '');
  return [
    lines.map((line) => (JSON.parse(line) as { externalUserId: string }).externalUserId),
    batches.flatMap(({ rejects }) => rejects.map(({ record, message }) => `${record}: ${message}`)),
  ];
}

it.each([26, 27, 28, 29, 52, 53])('has rows of %d cells, of which all have as many', async (cells) => {
  const text = [row('a', 'A', { cells }), row('b', '"B, C"', { cells })].join('\n');
  expect(await usersOf(`${text}\n`)).toEqual([['a', 'b'], []]);
});

it('makes no half user of a name with a line break, who is disabled', async () => {
  const broken = row('b', 'Ben\nBelow', { disabled: 'true' });
  const [ids, rejects] = await usersOf(`${row('a', 'A')}\n${broken}\n${row('c', 'C')}\n`);
  expect(ids).toEqual(['a', 'c']);
  expect(rejects).toEqual([
    expect.stringMatching(/^2: the row has 6 cells for 29 columns: is there a comma or a line break/),
    expect.stringMatching(/^3: the row has 24 cells for 29 columns/),
  ]);
});

it('makes no half user of the last row of a file that was cut', async () => {
  const cut = row('b', 'B', { disabled: 'true' }).slice(0, 20);
  const content = `${row('a', 'A')}\n${cut}`;
  expect((await usersOf(content))[0]).toEqual(['a']);
  await expect(converted(await sourceOf(fileOf(content), { from: 'firebase' }))).rejects.toThrow(
    /ends inside record 2, which has \d of 29 cells/,
  );
});

it('is refused where its first row is broken: nothing says how wide the others are', async () => {
  const content = `${row('a', 'A\nB')}\n${row('c', 'C')}\n`;
  const source = await sourceOf(fileOf(content), { from: 'firebase' });
  await expect(converted(source)).rejects.toThrow(/its first row has 6 cells, and the export writes 26, 27/);
});
