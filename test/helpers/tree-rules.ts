/** A property of the tree that readers rely on: one direction of imports within the command. */
import type { Module } from './import-graph.ts';

/** The command, from the folders that all of it uses up to the program. Each may import itself and those before it. */
const commandOrder = [
  'surroundings.ts',
  'command-error.ts',
  'state-folder.ts',
  'serve-folder.ts',
  'output',
  'input',
  'known',
  'confirm',
  'client',
  'places',
  'doctor',
  'inspect',
  'job',
  'compare',
  'sessions',
  'plan',
  'twin',
  'move',
  'load',
  'follow',
  'commands',
  'program.ts',
];

/** A line for each import within src/cli in the wrong direction, or whose file is in no listed folder. */
export function upwardImports(modules: readonly Module[]): string[] {
  return modules.flatMap(({ path: file, imports }) => {
    const from = placeOf(file);
    if (from === undefined) return [];
    return imports.flatMap(({ target, line }) => {
      const to = placeOf(target) ?? from;
      if (from >= 0 && to >= 0 && to <= from) return [];
      const cure = from < 0 || to < 0 ? 'give it a place in commandOrder' : 'move what both need down';
      return [`${file}:${line} imports ${target}: ${cure}`];
    });
  });
}

function placeOf(file: string): number | undefined {
  const name = /^src\/cli\/([^/]+)/.exec(file)?.[1];
  return name === undefined ? undefined : commandOrder.indexOf(name);
}
