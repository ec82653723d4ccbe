import type { AnyEndpoint, Endpoints, Param } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { formsOf } from './fields.ts';
import { cited, fieldTable, layout, prose } from './layout.ts';
import { errorRows, meaningOf } from './responses.ts';
import { samplesOf } from './samples.ts';
import { Schemas } from './schemas.ts';
import { described } from './vocabulary/index.ts';

/** The name of each encoding on the page. */
const SENT_AS: Readonly<Record<Param['encoding'], string>> = {
  raw: 'text',
  json: 'JSON',
  lenient: 'JSON or text',
  path: 'number in the path',
  pathText: 'text in the path',
  file: 'file',
  body: 'the whole body, as JSON',
};

/** The page of one operation: its parameters, reply and errors, examples of calls, and a form to try it. */
export function operationPage(endpoint: AnyEndpoint, all: Endpoints, serverUrl: string): string {
  const { id, method, path, doc, who, source } = endpoint;
  const forms = formsOf(new Schemas().of(endpoint.replySchema));
  return layout(
    `${method} ${path}`,
    html`<h1>${doc}</h1>
<p><span class="method">${method}</span><code>/api/v1${path}</code></p>
<p class="quiet"><code>${id}</code>; for ${who.who}; source: ${cited(source)}</p>
${parameterTable(endpoint)}
<h2>Answer</h2>
<p><code>result</code> is <code>success</code>, <code>msg</code> is empty.${forms.every((form) => form.length === 0) && ' Nothing more.'}</p>
${forms.filter((form) => form.length > 0).map(fieldTable)}
<h2>Errors</h2>
${errorTable(endpoint, all)}
<h2>How to call it</h2>
${samplesOf(endpoint, serverUrl).map(({ label, source: text }) => html`<h3>${label}</h3><pre tabindex="0">${text}</pre>\n`)}
<h2>Try it</h2>
${tryForm(endpoint)}`,
  );
}

function parameterTable({ params }: AnyEndpoint): Html {
  const rows = Object.entries(params).map(([name, param]) => {
    const { doc, example } = described(name, param);
    return html`<tr><td><code>${name}</code></td><td>${SENT_AS[param.encoding]}</td><td>${need(param)}</td><td>${prose(doc)}${example !== undefined && html` Example: <code>${shown(param, example)}</code>`}</td></tr>\n`;
  });
  if (rows.length === 0) return html`<h2>Parameters</h2><p>None.</p>`;
  return html`<h2>Parameters</h2>
<table><thead><tr><th scope="col">Name</th><th scope="col">Sent as</th><th scope="col">Needed</th><th scope="col">Meaning</th></tr></thead><tbody>
${rows}</tbody></table>`;
}

function need(param: Param): string {
  const also = param.alias === undefined ? '' : `; or as ${param.alias}`;
  if (param.required) return `yes${also}`;
  return param.default === undefined ? `no${also}` : `no: ${JSON.stringify(param.default)}${also}`;
}

function shown({ encoding }: Param, example: unknown): string {
  return encoding !== 'json' && typeof example === 'string' ? example : JSON.stringify(example);
}

function errorTable(endpoint: AnyEndpoint, all: Endpoints): Html {
  const rows = errorRows(endpoint, all).map(
    (row) => html`<tr><td>${row.status}</td><td><code>${row.code}</code></td><td>${meaningOf(row)}</td></tr>\n`,
  );
  return html`<table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Text</th></tr></thead><tbody>
${rows}</tbody></table>`;
}

function tryForm({ method, path, params, who }: AnyEndpoint): Html {
  const entries = Object.entries(params);
  const hasFile = entries.some(([, { encoding }]) => encoding === 'file');
  return html`<p class="quiet">Only what is filled in is sent. It is done for real.</p>
<form id="try" data-method="${method}" data-path="/api/v1${path.replace('*}', '}')}"${hasFile && html` data-file=""`}>
${
  who.credentials !== 'ignored' &&
  html`<label for="email">Email address</label><input id="email" autocomplete="username">
<label for="key">API key</label><input id="key" type="password" autocomplete="off">`
}
${entries.map(([name, param]) => field(name, param))}
<button>Send</button>
</form>
<output id="answer" for="try" hidden></output>`;
}

function field(name: string, param: Param): Html {
  const { example } = described(name, param);
  const as = param.encoding === 'pathText' ? 'path' : param.encoding;
  if (as === 'file')
    return html`<label for="p-${name}">${name}</label><input type="file" id="p-${name}" data-name="${name}" data-as="file">\n`;
  return html`<label for="p-${name}">${name}</label><input id="p-${name}" data-name="${name}" data-as="${as}" autocomplete="off" placeholder="${shown(param, example)}"${param.required && html` required`}>\n`;
}
