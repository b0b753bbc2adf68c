import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { featureOf } from './architecture-rules.ts';
import type { Module } from './import-graph.ts';

const list = 'src/features/index.ts';

/**
 * Other places that would have to change if a feature's folder, features that use it, and their lines in the list were deleted.
 * @returns a line for each import of a deleted file
 */
export function importsOfFeature(modules: readonly Module[], name: string): string[] {
  const gone = dependents(modules, name);
  return modules.flatMap(({ path: file, imports }) =>
    file === list || gone.has(featureOf(file) ?? '')
      ? []
      : imports
          .filter(({ target }) => gone.has(featureOf(target) ?? ''))
          .map(({ target, line }) => `${file}:${line} imports ${target}`),
  );
}

/**
 * Type-checks src/ and workers/ without all features: their list is empty.
 * @returns the errors, one line each
 */
export function typesWithoutFeatures(root: string, modules: readonly Module[]): string[] {
  const isGone = (file: string): boolean => featureOf(path.relative(root, file)) !== undefined;
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(root, 'tsconfig.json'),
    { noEmit: true, incremental: false },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  if (!config) throw new Error('tsconfig.json cannot be read');
  const disk = ts.createCompilerHost(config.options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => !isGone(file) && disk.fileExists(file),
    readFile: (file) => (isGone(file) ? undefined : disk.readFile(file)),
    getSourceFile: (file, language, ...rest) =>
      path.relative(root, file) === list
        ? ts.createSourceFile(file, emptied(readFileSync(file, 'utf8')), language)
        : disk.getSourceFile(file, language, ...rest),
  };
  const files = modules.map((module) => path.join(root, module.path)).filter((file) => !isGone(file));
  const program = ts.createProgram(files, config.options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const where = file === undefined ? '' : `${path.relative(root, file.fileName)}: `;
    return where + ts.flattenDiagnosticMessageText(messageText, ' ');
  });
}

/** The feature, and those that import its exports. */
function dependents(modules: readonly Module[], name: string): ReadonlySet<string> {
  const found = new Set([name]);
  for (const each of found)
    for (const { path: file, imports } of modules) {
      const feature = featureOf(file);
      if (feature !== undefined && imports.some(({ target }) => featureOf(target) === each))
        found.add(feature);
    }
  return found;
}

/** The list after each feature's line was deleted. */
function emptied(text: string): string {
  const imported = /^import \{ (\w+) \} from '\.\/([^/']+)\/feature\.ts';\n/gm;
  return text.replaceAll(imported, '').replace(/(: readonly Feature\[\] = \[)[^\]]*\]/, '$1]');
}
