import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const parsed = new Map<string, ts.SourceFile>();

/** Parses one TypeScript file of `root`, once for all checks of this process; nodes have their parents. */
export function parse(root: string, path: string): ts.SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  parsed.set(path, file);
  return file;
}

/** Calls `visit` for `node` and all of its descendants. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Returns the line of a node in its file; the first is 1. */
export function lineOf(file: ts.SourceFile, node: ts.Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}
