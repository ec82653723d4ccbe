import type { AnyEndpoint, Param } from '#kernel/endpoint';
import { described } from './vocabulary/index.ts';

/** An example call of an operation with one tool or in one language. */
export interface Sample {
  readonly lang: 'Shell' | 'Python' | 'JavaScript';
  readonly label: string;
  readonly source: string;
}

/** What a sample sends: the parameters that the operation needs, with their example values. */
interface Call {
  readonly method: string;
  readonly url: string;
  readonly isAnonymous: boolean;
  readonly fields: readonly (readonly [string, string])[];
  readonly hasFile: boolean;
}

/** How an operation is called with curl, Python and JavaScript. */
export function samplesOf(endpoint: AnyEndpoint, serverUrl: string): readonly Sample[] {
  const call = callOf(endpoint, serverUrl);
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    { lang: 'Python', label: 'Python', source: python(call) },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript(call) },
  ];
}

function callOf(endpoint: AnyEndpoint, serverUrl: string): Call {
  let url = `${serverUrl}/api/v1${endpoint.path.replace('*}', '}')}`;
  const fields: (readonly [string, string])[] = [];
  for (const [name, param] of Object.entries(endpoint.params)) {
    const { example } = described(name, param);
    if (param.encoding === 'path' || param.encoding === 'pathText')
      url = url.replace(`{${name}}`, encodeURIComponent(String(example)));
    else if (isShown(endpoint, name, param)) fields.push([name, sent(param, example)]);
  }
  const { method } = endpoint;
  const hasFile = Object.values(endpoint.params).some(({ encoding }) => encoding === 'file');
  return { method, url, isAnonymous: endpoint.who.credentials === 'ignored', fields, hasFile };
}

/** Optional parameters that samples send, too, because the call would be useless without them, by operation. */
const NEEDED_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  'send-message': ['to', 'topic'],
  'get-messages': ['anchor', 'num_before', 'num_after'],
  'get-events': ['queue_id', 'last_event_id'],
};

function isShown({ id }: AnyEndpoint, name: string, param: Param): boolean {
  if (param.encoding === 'file' || param.encoding === 'body') return false;
  return param.required || (NEEDED_TOGETHER[id]?.includes(name) ?? false);
}

function sent({ encoding }: Param, value: unknown): string {
  return encoding !== 'json' && typeof value === 'string' ? value : JSON.stringify(value);
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ method, url, isAnonymous, fields, hasFile }: Call): string {
  const flag = hasFile ? '--form-string' : '--data-urlencode';
  return [
    `curl -sS ${method === 'GET' ? '-G' : `-X ${method}`} ${shellQuoted(url)}`,
    ...(isAnonymous ? [] : ["-u 'EMAIL:API_KEY'"]),
    ...fields.map(([name, value]) => `${flag} ${shellQuoted(`${name}=${value}`)}`),
    ...(hasFile ? ["-F 'file=@garden.png'"] : []),
  ].join(' \\\n  ');
}

function python({ method, url, isAnonymous, fields, hasFile }: Call): string {
  const sentAs = method === 'GET' ? 'params' : 'data';
  const parts = [
    JSON.stringify(url),
    ...(isAnonymous ? [] : ['auth=("EMAIL", "API_KEY")']),
    ...(fields.length === 0 ? [] : [`${sentAs}=${members(fields, '    ')}`]),
    ...(hasFile ? ['files={"file": open("garden.png", "rb")}'] : []),
  ];
  const lines = parts.map((part) => `    ${part},\n`).join('');
  return `import requests\n\nreply = requests.${method.toLowerCase()}(\n${lines})\nprint(reply.json())`;
}

function javascript({ method, url, isAnonymous, fields, hasFile }: Call): string {
  const values = members(fields);
  const lines = [
    ...(fields.length > 0 && !hasFile ? [`const fields = new URLSearchParams(${values});`] : []),
    ...(hasFile ? ['const form = new FormData();', "form.set('file', file);"] : []),
    ...(hasFile ? fields.map(([name, value]) => `form.set(${JSON.stringify(name)}, ${JSON.stringify(value)});`) : []),
  ];
  const address = method === 'GET' && fields.length > 0 ? `\`${url}?\${fields}\`` : JSON.stringify(url);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(isAnonymous ? [] : ["headers: { Authorization: `Basic ${btoa('EMAIL:API_KEY')}` }"]),
    ...(hasFile ? ['body: form'] : method !== 'GET' && fields.length > 0 ? ['body: fields'] : []),
  ];
  const asked = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  return [...lines, `const reply = await fetch(${address}${asked});`, 'console.log(await reply.json());'].join('\n');
}

/** Writes names and texts as an object literal, which is the same in Python and JavaScript. */
function members(fields: Call['fields'], indent = ''): string {
  const lines = fields.map(([name, value]) => `${indent}  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}
