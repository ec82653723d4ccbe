// Finds in the syntax which tables a cached query reads, to compare them with those that it declares.
import ts from 'typescript';
import { lineOf, walk } from '../support/syntax.ts';
import { tableUses } from './scan.ts';
import { declarationsOf } from './scope.ts';

/** A file with its room (`features/channels`). */
export interface Placed {
  readonly path: string;
  readonly room: string;
  readonly file: ts.SourceFile;
}

/** Declarations by room, of all of its files. */
type Rooms = ReadonlyMap<string, ReturnType<typeof declarationsOf>>;

/** Returns `features/users` for `#features/users`; for a relative path the room itself. */
function roomNamed(specifier: string, room: string): string {
  return specifier.startsWith('#') ? specifier.slice(1) : room;
}

/** Returns the room that each imported name comes from. */
function importsOf({ file, room }: Placed): ReadonlyMap<string, string> {
  const rooms = new Map<string, string>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name } of bindings.elements) rooms.set(name.text, roomNamed(statement.moduleSpecifier.text, room));
  }
  return rooms;
}

/**
 * Returns everything that runs when `start` does: itself, the declarations that it names, and recursively those that
 * they name.
 */
function reachedFrom(start: ts.Node, placedOf: ReadonlyMap<ts.SourceFile, Placed>, rooms: Rooms): ReadonlySet<ts.Node> {
  const reached = new Set<ts.Node>([start]);
  for (const node of reached) {
    const placed = placedOf.get(node.getSourceFile());
    if (!placed) continue;
    const imports = importsOf(placed);
    walk(node, (part) => {
      if (!ts.isIdentifier(part)) return;
      const from = imports.get(part.text);
      const named = rooms.get(from ?? placed.room)?.get(part.text) ?? [];
      const near = named.filter((one) => from !== undefined || one.getSourceFile() === placed.file);
      for (const one of near) reached.add(one);
    });
  }
  return reached;
}

function namesOf(list: ts.Expression | undefined): string[] | undefined {
  if (!list || !ts.isArrayLiteralExpression(list)) return undefined;
  return list.elements.flatMap((element) =>
    ts.isStringLiteral(element) ? [element.text.replace(/:changed$/, '')] : [],
  );
}

/**
 * Returns cached queries that read a table which they do not declare, or declare one that they do not read; one line
 * each.
 */
export function cachedAmiss(files: readonly Placed[], tables: ReadonlySet<string>): string[] {
  const placedOf = new Map(files.map((placed) => [placed.file, placed]));
  const rooms: Rooms = new Map(
    [...new Set(files.map(({ room }) => room))].map((room) => [
      room,
      declarationsOf(files.filter((one) => one.room === room).map(({ file }) => file)),
    ]),
  );
  const faults: string[] = [];
  const judge = ({ path, file }: Placed, call: ts.CallExpression) => {
    const [list, query] = call.arguments;
    const named = namesOf(list);
    if (!query) return;
    const where = `${path}:${lineOf(file, call)}`;
    const reached = [...reachedFrom(query, placedOf, rooms)];
    const read = new Set(
      reached.flatMap((node) => tableUses(node.getSourceFile(), node)).map(({ table }) => table ?? ''),
    );
    if (!named) faults.push(`${where}: the tables of a cached query are to be written out`);
    for (const table of read)
      if (tables.has(table) && named?.includes(table) === false)
        faults.push(`${where}: reads ${table}, which it does not name`);
    for (const table of named ?? [])
      if (!read.has(table)) faults.push(`${where}: names ${table}, which it does not read`);
  };
  for (const placed of files)
    walk(placed.file, (node) => {
      if (ts.isCallExpression(node) && node.expression.getText(placed.file) === 'cachedQuery') judge(placed, node);
    });
  return faults;
}
