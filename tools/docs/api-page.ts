import type { AnyEndpoint, Endpoints, Page, Param } from '#kernel/endpoint';
import { described } from '#kernel/openapi';
import { GONE, nameOf, OPERATIONS } from './operations.ts';

const CLIENTS: Readonly<Record<string, string>> = { M: 'mobile', T: 'terminal', P: 'Python', J: 'JavaScript' };

/** Names of the encodings for readers. */
const TRAVELS: Readonly<Record<Param['encoding'], string>> = {
  raw: 'text',
  json: 'JSON',
  lenient: 'JSON or text',
  path: 'number in the path',
  pathText: 'text in the path',
  file: 'file',
  body: 'the whole body',
};

/** Returns the operations of the protocol that no endpoint and no page declares. */
export function missingOperations(endpoints: Endpoints, pages: readonly Page[]): readonly string[] {
  const declared = new Set([...endpoints.map(nameOf), ...pages.flatMap(namesOfPage)]);
  return OPERATIONS.filter((operation) => !declared.has(nameOf(operation))).map(
    (operation) => `${operation.method} ${operation.path} (${operation.source})`,
  );
}

/** Returns the text of docs/api.md. */
export function apiPage(endpoints: Endpoints, pages: readonly Page[]): string {
  const missing = missingOperations(endpoints, pages);
  return [
    '# Operations',
    'Made by `npm run docs` from the declarations of the endpoints; not edited by hand. Paths are below `/api/v1`. A running\nserver has the same with all shapes and errors at `/api/v1/openapi.json`, and to read and try at `/api/`.',
    `${endpoints.length} operations.`,
    ...sections(endpoints),
    '## What is gone',
    'Official clients still send these; they are told so.',
    GONE.map(({ method, path, status }) => `- \`${method} ${path}\`: ${status}`).join('\n'),
    ...(missing.length === 0
      ? []
      : ['## Not here yet', missing.map((operation) => `- \`${operation.replace(' (', '` (')}`).join('\n')]),
  ]
    .join('\n\n')
    .concat('\n');
}

function sections(endpoints: Endpoints): readonly string[] {
  const firstWord = ({ path }: AnyEndpoint) => path.split('/')[1] ?? '';
  const ordered = inOrder(endpoints);
  return [...new Set(ordered.map(firstWord))].flatMap((word) => [
    `## ${word}`,
    ...ordered.filter((endpoint) => firstWord(endpoint) === word).map(operation),
  ]);
}

function inOrder(endpoints: Endpoints): Endpoints {
  return endpoints.toSorted((a, b) => compare(a.path, b.path) || compare(a.method, b.method));
}

function operation(endpoint: AnyEndpoint): string {
  const { id, method, path, doc, who, source, since } = endpoint;
  const clients = [...(OPERATIONS.find((one) => nameOf(one) === nameOf(endpoint))?.clients ?? '')];
  const facts = [
    `\`${id}\``,
    `for ${who.who}`,
    `source: ${linked(source)}`,
    ...(since === undefined ? [] : [`since level ${since}`]),
    ...(clients.length === 0 ? [] : [`sent by clients: ${clients.map((letter) => CLIENTS[letter]).join(', ')}`]),
  ];
  return [`### ${method} ${path}`, doc, `${facts.join('; ')}.`, ...parameters(endpoint)].join('\n\n');
}

/** Turns citations into links from docs/api.md. */
function linked(source: string): string {
  return source.replace(/(protocol\/[\w-]+)((?:#[\w-]+)?)/g, '[$1$2]($1.md$2)');
}

function parameters({ params }: AnyEndpoint): readonly string[] {
  const rows = Object.entries(params).map(
    ([name, param]) => `| \`${name}\` | ${TRAVELS[param.encoding]} | ${need(param)} | ${words(name, param)} |`,
  );
  return rows.length === 0 ? [] : [['| parameter | sent as | needed | |', '|---|---|---|---|', ...rows].join('\n')];
}

/** Returns the meaning and an example of a parameter; links lead to the pages that a server shows. */
function words(name: string, param: Param): string {
  const { doc, example } = described(name, param);
  const shown =
    example === undefined ? '' : ` Example: \`${typeof example === 'string' ? example : JSON.stringify(example)}\`.`;
  return `${doc.replace(/\[([^\]]*)\]\(\/[^)]*\)/g, '$1')}${shown}`.replaceAll('|', '\\|');
}

function need(param: Param): string {
  const also = param.alias === undefined ? '' : `, or as \`${param.alias}\``;
  if (param.required) return `yes${also}`;
  return param.default === undefined ? `no${also}` : `no: \`${JSON.stringify(param.default)}\`${also}`;
}

function namesOfPage({ methods, path }: Page): readonly string[] {
  if (!path.startsWith('/api/v1/')) return [];
  return methods.map((method) => nameOf({ method, path: path.slice('/api/v1'.length) }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
