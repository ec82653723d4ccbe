/** A widget of a message (protocol/markdown#commands); stored as the first submessage. */
export type Widget =
  | { readonly widget_type: 'poll'; readonly extra_data: { readonly question: string; readonly options: string[] } }
  | {
      readonly widget_type: 'todo';
      readonly extra_data: { readonly task_list_title: string; readonly tasks: { task: string; desc: string }[] };
    };

/** Parses the widget of a message that begins with `/poll` or `/todo` (protocol/reactions#widgets). */
export function parseWidget(content: string): Widget | undefined {
  const command = /^\s*\/(poll|todo)(?=\s|$)/.exec(content);
  if (!command) return undefined;
  const [first = '', ...others] = content.slice(command[0].length).split('\n');
  const entries = others.map((line) => line.trim().replace(/^[-*]\s*/, '')).filter((line) => line !== '');
  return command[1] === 'poll'
    ? { widget_type: 'poll', extra_data: { question: first.trim(), options: entries } }
    : { widget_type: 'todo', extra_data: { task_list_title: first.trim(), tasks: entries.map(parseTask) } };
}

function parseTask(entry: string): { task: string; desc: string } {
  const colon = entry.indexOf(': ');
  return colon === -1
    ? { task: entry, desc: '' }
    : { task: entry.slice(0, colon), desc: entry.slice(colon + 2).trim() };
}

/** Whether a message is about its sender in the third person: it begins with `/me ` (protocol/markdown#commands). */
export function isMeMessage(content: string): boolean {
  return content.startsWith('/me ');
}
