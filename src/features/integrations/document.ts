import { parseBounded } from '#kernel/endpoint';
import { HeaderMissing } from './faults.ts';
import type { Call, Category, Integration, Sample } from './integration.ts';
import { eventsOf } from './registry.ts';
import { say } from './say.ts';

/** The URL to enter in the service, with placeholders for the key and the channel. */
export function addressOf({ name }: Pick<Integration, 'name'>, origin: string): string {
  return `${origin}/api/v1/external/${name}?api_key={key}&stream={channel}`;
}

/** Returns a sample as a call, for documentation pages and tests. */
export function callOfSample({ headers = {}, query = '' }: Sample): Call {
  const options = new URLSearchParams(query);
  const maybeHeader = (name: string) => headers[name] ?? '';
  return {
    maybeHeader,
    header: (name) => {
      if (maybeHeader(name) === '') throw new HeaderMissing(name);
      return maybeHeader(name);
    },
    option: (name) => options.get(name) ?? '',
  };
}

/** Returns the payload of a sample as it would be parsed from a request. */
export function payloadOfSample({ json, form, text }: Sample): unknown {
  if (form) {
    const parsed = parseBounded(form['payload'] ?? form['json'] ?? '');
    return parsed ? parsed.value : form;
  }
  return text === undefined ? json : { text };
}

/** Returns the messages that an integration makes of its samples. */
export function examplesOf(integration: Integration) {
  return integration.samples.map((sample) => ({
    of: sample.of,
    said: say(integration, payloadOfSample(sample), callOfSample(sample)),
  }));
}

/** Returns the page of docs/integrations about one integration, generated from its declaration. */
export function integrationDocument(integration: Integration): string {
  const events = eventsOf(integration);
  const options = (integration.options ?? []).map(({ key, label }) => `| \`${key}\` | ${label} |`);
  const examples = examplesOf(integration).flatMap(({ of, said }) => [
    `**${of}**`,
    ...said.flatMap(({ topic, content }) => [`Topic: \`${topic}\``, fenced(content)]),
  ]);
  return page([
    `# ${integration.title}`,
    'Make a bot of the type incoming webhook. Its key and the channel go into the address:',
    fenced(addressOf(integration, 'https://chat.example.com')),
    integration.setUp,
    ...(integration.publishedAt === undefined ? [] : [`Follows: <${integration.publishedAt}>`]),
    ...(options.length > 0 ? ['## Options', ['| option | |', '|---|---|', ...options].join('\n')] : []),
    ...(events ? ['## Events', events.map((event) => `\`${event}\``).join(', ')] : []),
    '## What is said',
    ...examples,
  ]);
}

/** Returns the list of all integrations, for docs/integrations. */
export function integrationsDocument(integrations: readonly Integration[]): string {
  const kinds = byCategory(integrations).flatMap(([category, those]) => [
    `## ${category}`,
    those.map(({ name, title }) => `- [${title}](${name}.md)`).join('\n'),
  ]);
  const intro = [
    'Services whose calls Roost turns into messages. These pages are made by `npm run docs` from the declarations in',
    '`src/features/integrations/services`; [the protocol](../protocol/bots.md#incoming-webhooks) says what they have in common.',
  ].join('\n');
  return page(['# Integrations', intro, ...kinds]);
}

/** Groups integrations by category; each group is ordered by title. */
export function byCategory(
  integrations: readonly Integration[],
): readonly (readonly [Category, readonly Integration[]])[] {
  const kinds = [...new Set(integrations.map(({ category }) => category))].toSorted();
  return kinds.map((kind) => [
    kind,
    integrations
      .filter(({ category }) => category === kind)
      .toSorted((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1)),
  ]);
}

function page(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
