import { type At } from '../field.ts';
import { integration } from '../integration.ts';
import { block, lines, Markdown, md } from '../markdown.ts';

/** Longest template, in characters. */
const MAX_TEMPLATE = 4000;

/** Most characters that are inserted of a value; more than are shown. */
const MAX_VALUE = 1000;

/** Fills in a template: `{{path}}` becomes the escaped value at that path of the payload, empty if it is missing. */
function filled(template: string, at: At): Markdown {
  const parts = template.slice(0, MAX_TEMPLATE).split(/\{\{\s*([\w.-]*)\s*\}\}/);
  const valueAt = valuesOf(at);
  return lines(
    parts.map((part, index) => (index % 2 === 0 ? new Markdown(part) : md`${valueAt(part)}`)),
    '',
  );
}

/** Returns a function that reads values as text, each of them once however often a template uses it. */
function valuesOf(at: At): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    const text = known.get(path) ?? textAt(at, path).slice(0, MAX_VALUE);
    known.set(path, text);
    return text;
  };
}

function textAt(at: At, path: string): string {
  const field = at(path);
  return field.text === '' && field.exists && typeof field.value === 'object'
    ? JSON.stringify(field.value)
    : field.text;
}

export const generic = integration({
  name: 'generic',
  title: 'Generic',
  category: 'Other',
  setUp:
    'Post any JSON to the address, and say with templates what becomes of it. A template holds {{path.to.value}} where values come; members of lists have numbers.',
  options: [
    { key: 'topic_template', label: 'Template of the topic', input_type: 'text' },
    { key: 'content_template', label: 'Template of the message', input_type: 'text' },
  ],
  read: (at, { option }) => {
    const valueAt = valuesOf(at);
    const topic = option('topic_template')
      .slice(0, MAX_TEMPLATE)
      .replaceAll(/\{\{\s*([\w.-]*)\s*\}\}/g, (_whole, path: string) => valueAt(path));
    const template = option('content_template');
    return {
      topic,
      content: template === '' ? block(JSON.stringify(at('').value ?? null, null, 2), 'json') : filled(template, at),
    };
  },
  samples: [
    {
      of: 'Templates are given',
      query: `topic_template=${encodeURIComponent('{{service}} / {{env}}')}&content_template=${encodeURIComponent('**{{state}}**: {{hosts.0.name}} {{text}}')}`,
      json: { service: 'boats', env: 'production', state: 'red', hosts: [{ name: 'db-1' }], text: 'Tide *high*' },
    },
    { of: 'No templates are given', json: { tide: 'low' } },
    {
      of: 'A value that is not there, and one that is several',
      query: `topic_template=${encodeURIComponent('tide')}&content_template=${encodeURIComponent('At {{place.name}}: {{heights}}{{nothing}}')}`,
      json: { place: { name: 'Quay' }, heights: [1.2, 0.4] },
    },
  ],
});
