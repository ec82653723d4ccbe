// Checks that nothing takes an organization besides a caller, request or transaction, which carry one.
import ts from 'typescript';
import { lineOf, parse, walk } from '../support/syntax.ts';
import { typescriptFiles } from '../support/sources.ts';

/** Types of an organization, and types that carry one. */
const REALM = /^(RealmRef|RealmId)( \| (null|undefined))?$/;
const CALLER = /^((readonly )?Actor(\[\])?( \| (null|undefined))?|ActorReadTx|ActorWriteTx|CallerReadTx|RealmRequest)$/;

const TRANSACTION = /^((Read|Write|Closing|RealmRead|RealmWrite|RealmRefRead|RealmRefWrite)Tx( & .*)?)$/;

/**
 * Functions that bring an organization to a transaction: for a request whose caller may be a spectator, who carries
 * none, and for transactions of the whole server.
 */
const DOORS = ['asCaller', 'ofRealm', 'inRealm'];

/**
 * Returns functions, function types and value types that take an organization besides an actor or a transaction; one
 * line each.
 */
export function findDoubleCallers(root: string): string[] {
  return typescriptFiles(root, 'src')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => doubleCallers(parse(root, path)).map((place) => `${path}:${place}`));
}

function doubleCallers(file: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    const types = typesIn(node, file);
    const realm = types.find((type) => REALM.test(type));
    const caller = types.find((type) => CALLER.test(type) || TRANSACTION.test(type));
    if (realm !== undefined && caller !== undefined)
      found.push(`${lineOf(file, node)}: takes ${realm} beside ${caller}: what is of an organization carries it`);
  });
  return found;
}

/** Returns the types of a function's parameters, or of the fields of a type with a transaction. */
function typesIn(node: ts.Node, file: ts.SourceFile): readonly string[] {
  if (ts.isFunctionLike(node))
    return DOORS.includes(node.name?.getText(file) ?? '') ? [] : node.parameters.map((one) => textOf(one, file));
  if (!ts.isInterfaceDeclaration(node) && !ts.isTypeLiteralNode(node)) return [];
  const types = node.members.filter(ts.isPropertySignature).map((one) => textOf(one, file));
  return types.some((type) => type.endsWith('Tx')) ? types : [];
}

function textOf({ type }: ts.ParameterDeclaration | ts.PropertySignature, file: ts.SourceFile): string {
  return type?.getText(file) ?? '';
}
