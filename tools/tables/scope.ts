// Finds in the syntax of a file which statements do not say whose organization's rows they touch.
import ts from 'typescript';
import { lineOf, walk } from '../support/syntax.ts';

/** A statement on a table with a `realm_id` that does not compare it. */
export interface Unscoped {
  readonly line: number;
  readonly table: string;
  /** The file's declaration that contains it. */
  readonly name: string;
}

const STARTERS = new Set(['selectFrom', 'updateTable', 'deleteFrom']);
/** Matches calls that may name the column without comparing it. */
const NAMING = /^(select|orderBy|groupBy|returning|columns?|ref|count|max|min)$/;
const RAW_STARTER = /\b(?:from|update|delete\s+from)\s+"?(\w+)/gi;
const RAW_SCOPE = /\brealm_id\s*(=|in\b)/;
const COLUMN = /^(\w+\.)?realm_id$/;

/**
 * Returns tables that a file declares with a `realm_id`. An insert needs no check: its row does not compile without
 * one.
 */
export function tablesOfRealms(file: ts.SourceFile): string[] {
  const names: string[] = [];
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText(file) !== 'table') return;
    const [name, columns] = node.arguments;
    if (!name || !columns || !ts.isStringLiteral(name) || !ts.isObjectLiteralExpression(columns)) return;
    if (columns.properties.some((column) => column.name?.getText(file) === 'realm_id')) names.push(name.text);
  });
  return names;
}

function calledName({ expression }: ts.CallExpression): string {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : '';
}

function isRaw(node: ts.Node, file: ts.SourceFile): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === 'sql';
}

/**
 * Returns the tables of organizations with which a statement begins at this node. Joined tables are tied by their `on`.
 */
function begunAt(node: ts.Node, file: ts.SourceFile, realmTables: ReadonlySet<string>): string[] {
  const found: string[] = [];
  if (ts.isCallExpression(node) && STARTERS.has(calledName(node))) {
    const [argument] = node.arguments;
    if (argument && ts.isStringLiteralLike(argument)) found.push(argument.text.trim().split(/\s+/)[0] ?? '');
  } else if (isRaw(node, file)) {
    for (const [, table] of node.template.getText(file).matchAll(RAW_STARTER)) found.push(table ?? '');
  }
  return found.filter((table) => realmTables.has(table));
}

/** Returns the whole statement of a query: its subqueries are scoped by what they refer to. */
function statementOf(node: ts.Node): ts.Node {
  let at = node;
  while (!ts.isStatement(at) && !ts.isVariableDeclaration(at) && !ts.isSourceFile(at.parent)) at = at.parent;
  return at;
}

type Declarations = ReadonlyMap<string, readonly ts.Node[]>;

/** Returns the declarations of variables and functions in files, by name. */
export function declarationsOf(files: readonly ts.SourceFile[]): Declarations {
  const known = new Map<string, ts.Node[]>();
  for (const file of files)
    walk(file, (node) => {
      if (!ts.isVariableDeclaration(node) && !ts.isFunctionDeclaration(node)) return;
      if (!node.name || !ts.isIdentifier(node.name)) return;
      known.set(node.name.text, [...(known.get(node.name.text) ?? []), node]);
    });
  return known;
}

/** Returns the names of conditions: `within` of `${within}`, `ofTopic` of `.where(ofTopic(topic))`. */
function conditionsOf(node: ts.Node): string[] {
  const parts = [];
  if (ts.isTaggedTemplateExpression(node) && ts.isTemplateExpression(node.template))
    parts.push(...node.template.templateSpans.map(({ expression }) => expression));
  if (ts.isCallExpression(node) && calledName(node) === 'where') parts.push(...node.arguments);
  return parts.flatMap((part) => {
    const named = ts.isCallExpression(part) ? part.expression : part;
    return ts.isIdentifier(named) ? [named.text] : [];
  });
}

function compares(node: ts.Node, file: ts.SourceFile): boolean {
  if (ts.isTaggedTemplateExpression(node)) return RAW_SCOPE.test(node.template.getText(file));
  if (!ts.isCallExpression(node) || NAMING.test(calledName(node))) return false;
  const [column] = node.arguments;
  return column !== undefined && ts.isStringLiteralLike(column) && COLUMN.test(column.text);
}

/**
 * Returns the statements of a file that compare no `realm_id`, neither directly nor by a condition that their room
 * declares.
 */
export function unscopedIn(
  file: ts.SourceFile,
  realmTables: ReadonlySet<string>,
  declarations: Declarations,
): Unscoped[] {
  const isScoped = (statement: ts.Node, seen: ReadonlySet<ts.Node>): boolean => {
    let scoped = false;
    walk(statement, (node) => {
      const from = node.getSourceFile();
      scoped ||= compares(node, from);
      if (scoped) return;
      scoped = conditionsOf(node).some((name) => {
        const all = declarations.get(name)?.filter((declaration) => !seen.has(declaration)) ?? [];
        const own = all.filter((declaration) => declaration.getSourceFile() === from);
        const named = own.length > 0 ? own : all;
        return named.length > 0 && named.every((one) => isScoped(one, new Set([...seen, ...named])));
      });
    });
    return scoped;
  };
  const found = new Map<ts.Node, Unscoped>();
  walk(file, (node) => {
    const [table] = begunAt(node, file, realmTables);
    if (table === undefined) return;
    const statement = statementOf(node);
    if (!found.has(statement) && !isScoped(statement, new Set([statement])))
      found.set(statement, { line: lineOf(file, node), table, name: enclosingName(statement, file) });
  });
  return [...found.values()];
}

function enclosingName(node: ts.Node, file: ts.SourceFile): string {
  let name = '';
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    const declared = ts.isFunctionDeclaration(at) || ts.isVariableDeclaration(at) ? at.name?.getText(file) : undefined;
    name = declared ?? name;
  }
  return name;
}
