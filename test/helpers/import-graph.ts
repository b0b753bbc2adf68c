/** Reads TypeScript with its own compiler: the imports of each file, and its effects when it is imported. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export interface Import {
  /** A path from the project's root for a relative import, otherwise the name of the package or `node:` module. */
  readonly target: string;
  /** Erased before anything runs. */
  readonly typeOnly: boolean;
  readonly line: number;
}

export interface Module {
  /** From the project's root, with slashes. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Lines on which importing the file has an effect: a call as a separate statement, or an await. */
  readonly effects: readonly number[];
  readonly readsEnvironment: boolean;
}

/** Every module below the folders, without tests, generated code and pages for browsers. */
export function readModules(root: string, folders: readonly string[]): Module[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes(pagesOfConsole))
      .sort()
      .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
      .map((file) => readModule(file, readFileSync(path.join(root, file), 'utf8'))),
  );
}

const pagesOfConsole = path.join('console', 'pages');

export function readModule(file: string, text: string): Module {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return {
    path: file,
    imports: importsOf(source),
    effects: source.statements.flatMap((statement) => effectsOf(source, statement)),
    readsEnvironment: some(source, (node) => node.getText(source) === 'process.env'),
  };
}

function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier) {
      const target = resolve(source.fileName, specifier.text);
      found.push({ target, typeOnly: isTypeOnly(node), line: lineOf(source, node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `import … from 'x'`, `export … from 'x'`, `import('x')`, `require('x')` and the type `import('x').Y`. */
function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literal(node.argument.literal);
  if (!ts.isCallExpression(node)) return undefined;
  const {
    expression,
    arguments: [first],
  } = node;
  const isLoading = expression.kind === ts.SyntaxKind.ImportKeyword || expression.getText() === 'require';
  return isLoading ? literal(first) : undefined;
}

function literal(node: ts.Node | undefined): ts.StringLiteralLike | undefined {
  return node && ts.isStringLiteralLike(node) ? node : undefined;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  if (!ts.isImportDeclaration(node) || !node.importClause) return false;
  const { importClause: clause } = node;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return clause.name === undefined && names !== undefined && ts.isNamedImports(names)
    ? names.elements.length > 0 && names.elements.every((element) => element.isTypeOnly)
    : false;
}

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  if (specifier.startsWith('node:')) return specifier;
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

/** Descends into everything that runs while the module is loaded, so not into the bodies of functions. */
function effectsOf(source: ts.SourceFile, node: ts.Node): number[] {
  if (ts.isFunctionLike(node)) return [];
  const isCall = ts.isExpressionStatement(node) && ts.isCallExpression(node.expression);
  const own = isCall || ts.isAwaitExpression(node) ? [lineOf(source, node)] : [];
  const below: number[] = [];
  ts.forEachChild(node, (child) => void below.push(...effectsOf(source, child)));
  return [...own, ...below];
}

function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

function some(node: ts.Node, test: (node: ts.Node) => boolean): boolean {
  return (
    (ts.isPropertyAccessExpression(node) && test(node)) ||
    (ts.forEachChild(node, (child) => some(child, test) || undefined) ?? false)
  );
}

/** Cycles of imports, including types, each as its files. */
export function findCycles(modules: readonly Module[]): string[][] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file]);
    if (start >= 0 || finished.has(file)) return;
    for (const { target } of byPath.get(file)?.imports ?? []) walk(target, [...trail, file]);
    finished.add(file);
  };
  for (const { path: file } of modules) walk(file, []);
  return cycles;
}
