import ts from 'typescript';
import { typescriptFiles } from './sources.ts';
import { lineOf, parse, walk } from './syntax.ts';

interface Size {
  readonly lines: number;
  readonly where: string;
}

function nameOf(node: ts.Node, file: ts.SourceFile): string {
  const named = ts.isArrowFunction(node) || ts.isFunctionExpression(node) ? node.parent : node;
  return (ts.isFunctionLike(named) || ts.isVariableDeclaration(named) || ts.isPropertyAssignment(named)) && named.name
    ? named.name.getText(file)
    : 'a function';
}

function functionsOf(file: ts.SourceFile): Size[] {
  const sizes: Size[] = [];
  walk(file, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const first = lineOf(file, node);
    const last = file.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
    sizes.push({ lines: last - first + 1, where: `${file.fileName}:${first} ${nameOf(node, file)}` });
  });
  return sizes;
}

function print(title: string, sizes: readonly Size[]): void {
  process.stdout.write(`${title}\n`);
  for (const { lines, where } of sizes.toSorted((a, b) => b.lines - a.lines).slice(0, 10)) {
    process.stdout.write(`${String(lines).padStart(6)}  ${where}\n`);
  }
}

/** Prints the ten longest files and functions of the product. There is no limit: a long one is a question. */
export function showSizes(root: string): void {
  const files = ['src', 'web']
    .flatMap((folder) => typescriptFiles(root, folder))
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => parse(root, path));
  print(
    'Longest files (lines)',
    files.map((file) => ({ lines: file.getLineStarts().length - 1, where: file.fileName })),
  );
  print('Longest functions (lines)', files.flatMap(functionsOf));
}
