// A caller carries its organization: what takes the one takes no other.
import ts from 'typescript';
import { lineOf, parse, walk } from '../support/syntax.ts';
import { typescriptFiles } from '../support/sources.ts';

/** Types of an organization, and types that carry one. */
const REALM = /^(RealmRef|RealmId)( \| (null|undefined))?$/;
const CALLER = /^((readonly )?Actor(\[\])?( \| (null|undefined))?|ActorReadTx|ActorWriteTx|CallerReadTx)$/;

/** The door by which a request that may be a spectator's opens its transaction: a spectator carries nothing. */
const SPECTATORS_DOOR = 'asCaller';

/** Functions, and types of functions, that take an organization beside an actor or an actor's transaction; one line each. */
export function findDoubleCallers(root: string): string[] {
  return typescriptFiles(root, 'src')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => doubleCallers(parse(root, path)).map((place) => `${path}:${place}`));
}

function doubleCallers(file: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    if (!ts.isFunctionLike(node) || node.name?.getText(file) === SPECTATORS_DOOR) return;
    const types = node.parameters.map(({ type }) => type?.getText(file) ?? '');
    const realm = types.find((type) => REALM.test(type));
    const caller = types.find((type) => CALLER.test(type));
    if (realm !== undefined && caller !== undefined)
      found.push(`${lineOf(file, node)}: takes ${realm} beside ${caller}, which carries it`);
  });
  return found;
}
