import { type PathPart, pathParts } from '#kernel/endpoint';
import { invariant } from '#kernel/errors';

interface Node<T> {
  readonly fixed: Map<string, Node<T>>;
  digits: { readonly name: string; readonly node: Node<T> } | undefined;
  text: { readonly name: string; readonly node: Node<T> } | undefined;
  rest: { readonly name: string; readonly node: Node<T> } | undefined;
  readonly methods: Map<string, T>;
}

/** A known path: its targets by method, and the values of its named segments. */
export interface Match<T> {
  readonly methods: ReadonlyMap<string, T>;
  readonly path: Readonly<Record<string, string>>;
}

/** Finds targets by path: literal segments take precedence, then numbers, then any text, then `{rest*}`. */
export class Router<T> {
  readonly #root: Node<T> = emptyNode();

  add(method: string, path: string, target: T, isDigits: (parameter: string) => boolean): void {
    let node = this.#root;
    for (const part of pathParts(path)) node = step(node, part, isDigits);
    invariant(!node.methods.has(method), `${method} ${path} is declared twice`);
    node.methods.set(method, target);
  }

  find(parts: readonly string[]): Match<T> | undefined {
    return search(this.#root, parts, 0, {});
  }
}

function emptyNode<T>(): Node<T> {
  return { fixed: new Map(), digits: undefined, text: undefined, rest: undefined, methods: new Map() };
}

function step<T>(node: Node<T>, part: PathPart, isDigits: (parameter: string) => boolean): Node<T> {
  if ('fixed' in part) {
    const next = node.fixed.get(part.fixed) ?? emptyNode<T>();
    node.fixed.set(part.fixed, next);
    return next;
  }
  if (part.param.endsWith('*')) return (node.rest ??= { name: part.param.slice(0, -1), node: emptyNode() }).node;
  if (isDigits(part.param)) return (node.digits ??= { name: part.param, node: emptyNode() }).node;
  return (node.text ??= { name: part.param, node: emptyNode() }).node;
}

function search<T>(
  node: Node<T>,
  parts: readonly string[],
  at: number,
  path: Record<string, string>,
): Match<T> | undefined {
  const part = parts[at];
  if (part === undefined)
    return node.methods.size > 0 ? { methods: node.methods, path } : restOf(node, parts, at, path);
  const fixed = node.fixed.get(part);
  const direct = fixed && search(fixed, parts, at + 1, path);
  if (direct) return direct;
  if (node.digits && /^\d+$/.test(part)) {
    const found = search(node.digits.node, parts, at + 1, { ...path, [node.digits.name]: part });
    if (found) return found;
  }
  if (node.text) {
    const found = search(node.text.node, parts, at + 1, { ...path, [node.text.name]: part });
    if (found) return found;
  }
  return restOf(node, parts, at, path);
}

function restOf<T>(
  node: Node<T>,
  parts: readonly string[],
  at: number,
  path: Record<string, string>,
): Match<T> | undefined {
  if (!node.rest || node.rest.node.methods.size === 0) return undefined;
  return { methods: node.rest.node.methods, path: { ...path, [node.rest.name]: parts.slice(at).join('/') } };
}
