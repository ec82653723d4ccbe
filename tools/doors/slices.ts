// Reads the order of the slices from src/features.ts.
import ts from 'typescript';

function sliceOf(specifier: string): string | undefined {
  return /^(?:#features|\.\/features)\/([^/]+)(?:\/index\.ts)?$/.exec(specifier)?.[1];
}

function importedSlices(file: ts.SourceFile): Map<string, string> {
  const slices = new Map<string, string>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const slice = sliceOf(statement.moduleSpecifier.text);
    const names = statement.importClause?.namedBindings;
    if (slice === undefined || names === undefined || !ts.isNamedImports(names)) continue;
    for (const name of names.elements) slices.set(name.name.text, slice);
  }
  return slices;
}

/**
 * Returns the folder names of the slices in the order of the list in src/features.ts: the elements of its first array
 * that are imported from a slice. The order of imports does not matter.
 */
export function sliceOrder(text: string): string[] {
  const file = ts.createSourceFile('features.ts', text, ts.ScriptTarget.Latest);
  const imported = importedSlices(file);
  const order: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node) && order.length === 0) {
      for (const element of node.elements) {
        const slice = ts.isIdentifier(element) ? imported.get(element.text) : undefined;
        if (slice !== undefined) order.push(slice);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return order;
}
