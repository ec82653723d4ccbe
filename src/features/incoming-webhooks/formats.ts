import type { IntegrationName } from '#features/bots';
import { fromSlack } from './slack-text.ts';

/** How one integration's posts become messages. */
interface Format {
  /** Where they go unless the address names a topic. */
  readonly topic: string;
  /** The text of a message; empty for none. */
  readonly write: (posted: unknown) => string;
}

/** Formats by the names of their integrations. */
export const FORMATS: Readonly<Record<IntegrationName, Format>> = {
  json: { topic: 'JSON', write: (posted) => `\`\`\`json\n${JSON.stringify(posted, null, 2)}\n\`\`\`` },
  slack_incoming: { topic: 'Slack', write: slackMessage },
};

/** Text, then what is attached; whatever of it is there. */
function slackMessage(posted: unknown): string {
  const parts = [textOf(posted, 'text'), ...listOf(posted, 'blocks').map(block), ...attached(posted)];
  return parts.filter((part) => part !== '').join('\n\n');
}

function block(one: unknown): string {
  const parts = [memberOf(one, 'text'), ...listOf(one, 'fields'), ...listOf(one, 'elements')];
  return parts
    .map((part) => textOf(part, 'text'))
    .filter((text) => text !== '')
    .join('\n');
}

function attached(posted: unknown): readonly string[] {
  return listOf(posted, 'attachments').map((one) => {
    const lines = [textOf(one, 'pretext'), title(one), textOf(one, 'text'), ...listOf(one, 'fields').map(field)];
    const said = lines.filter((line) => line !== '');
    return said.length > 0 ? said.join('\n') : textOf(one, 'fallback');
  });
}

function title(attachment: unknown): string {
  const [text, link] = [textOf(attachment, 'title'), memberOf(attachment, 'title_link')];
  if (text === '') return '';
  return typeof link === 'string' && /^https?:[^\s()]+$/.test(link) ? `[${text}](${link})` : `**${text}**`;
}

function field(one: unknown): string {
  return `**${textOf(one, 'title')}**: ${textOf(one, 'value')}`;
}

function textOf(value: unknown, name: string): string {
  const text = memberOf(value, name);
  return typeof text === 'string' ? fromSlack(text.trim()) : '';
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : [];
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
