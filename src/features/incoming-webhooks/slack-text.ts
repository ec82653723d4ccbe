/** How Slack writes the characters that its links are made of. */
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** A text with Slack's markup, in ours: links, bold, italic and struck-through words. */
export function fromSlack(text: string): string {
  const marked = text
    .replaceAll(/(^|[\s(])\*([^*\s](?:[^*\n]*[^*\s])?)\*/g, '$1**$2**')
    .replaceAll(/(^|[\s(])_([^_\s](?:[^_\n]*[^_\s])?)_(?=[\s).,!?]|$)/gm, '$1*$2*')
    .replaceAll(/(^|[\s(])~([^~\s](?:[^~\n]*[^~\s])?)~/g, '$1~~$2~~');
  const linked = marked
    .replaceAll(/<(https?:[^<>|\s]+)\|([^<>|]+)>/g, '[$2]($1)')
    .replaceAll(/<((?:https?|mailto):[^<>|\s]+)>/g, '$1')
    // Whom Slack knows by ID, nobody knows here.
    .replaceAll(/<[@#!][^<>|\s]*\|([^<>|]+)>/g, '$1');
  return linked.replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
