// Finds in the syntax of a file which tables it declares, reads and writes.
import ts from 'typescript';
import { lineOf, walk } from '../support/syntax.ts';

/** A place where a query names a table. `table` is undefined when the name is not a literal. */
export interface Use {
  readonly line: number;
  readonly table: string | undefined;
  readonly writes: boolean;
  /** Whether the name is certainly a table's, not another word in its position. */
  readonly certain: boolean;
}

const WRITERS = new Set(['insertInto', 'replaceInto', 'updateTable', 'deleteFrom', 'mergeInto']);
const READERS = /^(selectFrom|(inner|left|right|full|cross)Join(Lateral)?|mergeUsing|foundForEach|joinedByIndex)$/;
// Method names that other objects have too (`Array.from`): they count when their argument is a table.
const PERHAPS = new Set(['from', 'using', 'table']);

const RAW_WRITE =
  /\b(?:(?:insert\s+(?:or\s+\w+\s+)?|replace\s+|merge\s+)into|delete\s+from|(?<!\b(?:for|do)\s+)update)\s+"?(\w+)/gi;
const RAW_READ = /\b(?:(?<!\b(?:delete|distinct)\s+)from|join)\s+"?(\w+)/gi;

/** Returns the names of the tables that a file declares by `table('name', …)`. */
export function declaredTables(file: ts.SourceFile): string[] {
  const names: string[] = [];
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'table') return;
    const [name] = node.arguments;
    if (name !== undefined && ts.isStringLiteral(name)) names.push(name.text);
  });
  return names;
}

/** Returns the names of the tables that a manifest lists under `reads`. */
export function declaredReads(file: ts.SourceFile): string[] {
  const names: string[] = [];
  walk(file, (node) => {
    if (!ts.isPropertyAssignment(node) || node.name.getText(file) !== 'reads') return;
    if (!ts.isArrayLiteralExpression(node.initializer)) return;
    for (const element of node.initializer.elements) if (ts.isStringLiteral(element)) names.push(element.text);
  });
  return names;
}

/** Returns the names of a file's common table expressions (`with`), which look like tables. */
function commonTables(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    if (!/^with(Recursive)?$/.test(node.expression.name.text)) return;
    const [name] = node.arguments;
    if (name !== undefined && ts.isStringLiteralLike(name)) names.add(name.text.replace(/\(.*/s, '').trim());
  });
  return names;
}

/** Returns the table of `'table'` or `'table as alias'`. */
function tableOf(text: string): string {
  return text.trim().split(/\s+/)[0] ?? '';
}

function namedIn(argument: ts.Expression): (string | undefined)[] {
  if (ts.isStringLiteralLike(argument)) return [tableOf(argument.text)];
  if (ts.isArrayLiteralExpression(argument)) return argument.elements.flatMap(namedIn);
  // A subquery: its tables are found separately.
  if (!ts.isIdentifier(argument) && !ts.isTemplateExpression(argument)) return [];
  return [undefined];
}

/** Returns the argument of a call that names tables; that of `joinedByIndex(outer, { table })` is within its second. */
function namingArgument(call: ts.CallExpression, method: string): ts.Expression | undefined {
  const [first, second] = call.arguments;
  if (method !== 'joinedByIndex') return first;
  if (second === undefined || !ts.isObjectLiteralExpression(second)) return undefined;
  for (const property of second.properties)
    if (ts.isPropertyAssignment(property) && property.name.getText() === 'table') return property.initializer;
  return undefined;
}

function usesOfCall(file: ts.SourceFile, node: ts.CallExpression): Use[] {
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  const method = node.expression.name.text;
  const argument = namingArgument(node, method);
  const writes = WRITERS.has(method);
  const certain = writes || READERS.test(method);
  if (argument === undefined || (!certain && !PERHAPS.has(method))) return [];
  const line = lineOf(file, node.expression.name);
  return namedIn(argument).map((table) => ({ line, table, writes, certain }));
}

function rawText(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return [template.head.text, ...template.templateSpans.map((span) => span.literal.text)].join(' ? ');
}

function usesOfRaw(file: ts.SourceFile, node: ts.TaggedTemplateExpression): Use[] {
  if (node.tag.getText(file) !== 'sql') return [];
  const text = rawText(node.template);
  const line = lineOf(file, node);
  const found = (pattern: RegExp, writes: boolean): Use[] =>
    [...text.matchAll(pattern)].map(([, table]) => ({ line, table, writes, certain: false }));
  return [...found(RAW_WRITE, true), ...found(RAW_READ, false)];
}

/** Returns every place in a file, or in a part of it, where a query names a table. */
export function tableUses(file: ts.SourceFile, part: ts.Node = file): Use[] {
  const common = commonTables(file);
  const uses: Use[] = [];
  walk(part, (node) => {
    if (ts.isCallExpression(node)) uses.push(...usesOfCall(file, node));
    if (ts.isTaggedTemplateExpression(node)) uses.push(...usesOfRaw(file, node));
  });
  return uses.filter(({ table }) => table === undefined || !common.has(table));
}
