import { isRecord } from '../../api/index.ts';

interface Part {
  readonly sender_id: number;
  readonly msg_type: string;
  readonly content: string;
}

/** The state of a poll, computed from its submessages. See protocol/reactions#widgets. */
export interface PollState {
  readonly kind: 'poll';
  readonly question: string;
  readonly options: readonly { readonly key: string; readonly text: string; readonly voters: readonly number[] }[];
}

/** The state of a to-do list, computed from its submessages. */
export interface TodoState {
  readonly kind: 'todo';
  readonly title: string;
  readonly tasks: readonly {
    readonly key: string;
    readonly text: string;
    readonly note: string | undefined;
    readonly isDone: boolean;
  }[];
}

/** A form of a bot; a choice is sent to the conversation as a message. */
export interface FormState {
  readonly kind: 'form';
  readonly heading: string;
  readonly choices: readonly { readonly short: string; readonly long: string; readonly reply: string }[];
}

/** Computes the widget of a message; undefined for an ordinary message and for an unknown widget. */
export function widgetOf(parts: readonly Part[], authorId: number): PollState | TodoState | FormState | undefined {
  const [first, ...rest] = parts.filter(({ msg_type }) => msg_type === 'widget');
  const made = parsed(first?.content);
  const extra = isRecord(made['extra_data']) ? made['extra_data'] : {};
  const events = rest.map(({ sender_id, content }) => ({ by: sender_id, event: parsed(content) }));
  if (made['widget_type'] === 'poll') return pollOf(extra, events, authorId);
  if (made['widget_type'] === 'zform') return formOf(extra);
  return made['widget_type'] === 'todo' ? todoOf(extra, events, authorId) : undefined;
}

type Data = Readonly<Record<string, unknown>>;
interface Said {
  readonly by: number;
  readonly event: Data;
}

function pollOf(extra: Data, events: readonly Said[], authorId: number): PollState {
  let question = text(extra['question']);
  const options = new Map<string, { readonly text: string; readonly voters: Set<number> }>();
  const add = (key: string, shown: string) => {
    const isThere = [...options.values()].some((one) => one.text === shown);
    if (!isThere && !options.has(key)) options.set(key, { text: shown, voters: new Set() });
  };
  list(extra['options']).forEach((option, index) => add(`canned,${index}`, text(option)));
  for (const { by, event } of events) {
    if (event['type'] === 'question' && by === authorId) question = text(event['question']);
    if (event['type'] === 'new_option') add(`${by},${Number(event['idx'])}`, text(event['option']));
    if (event['type'] !== 'vote') continue;
    const voters = options.get(text(event['key']))?.voters;
    if (event['vote'] === 1) voters?.add(by);
    else voters?.delete(by);
  }
  return {
    kind: 'poll',
    question,
    options: [...options].map(([key, one]) => ({ key, text: one.text, voters: [...one.voters] })),
  };
}

function todoOf(extra: Data, events: readonly Said[], authorId: number): TodoState {
  let title = text(extra['task_list_title']);
  const tasks = new Map<string, TodoState['tasks'][number]>();
  const add = (key: string, task: Data) => {
    if (tasks.has(key)) return;
    const note = text(task['desc']);
    const isDone = task['completed'] === true;
    tasks.set(key, { key, text: text(task['task']), note: note === '' ? undefined : note, isDone });
  };
  list(extra['tasks']).forEach((task, index) => isRecord(task) && add(`${index},canned`, task));
  for (const { by, event } of events) {
    if (event['type'] === 'new_task_list_title' && by === authorId) title = text(event['title']);
    if (event['type'] === 'new_task') add(`${Number(event['key'])},${by}`, event);
    const struck = event['type'] === 'strike' ? tasks.get(text(event['key'])) : undefined;
    if (struck) tasks.set(struck.key, { ...struck, isDone: !struck.isDone });
  }
  return { kind: 'todo', title, tasks: [...tasks.values()] };
}

/** A form with choices; undefined for kinds of a newer server. */
function formOf(extra: Data): FormState | undefined {
  if (extra['type'] !== 'choices') return undefined;
  const choices = list(extra['choices']).flatMap((one) =>
    isRecord(one) ? [{ short: text(one['short_name']), long: text(one['long_name']), reply: text(one['reply']) }] : [],
  );
  return { kind: 'form', heading: text(extra['heading']), choices: choices.filter(({ reply }) => reply !== '') };
}

/** Returns the next index under which `me` may add an option or a task. */
export function nextIndex(keys: readonly string[], me: number): number {
  const own = keys.flatMap((key) => {
    const parts = key.split(',').map(Number);
    // One of the parts is the ID; the other one is the index, which may be the same number.
    return parts.includes(me) ? parts.toSpliced(parts.indexOf(me), 1).filter((part) => !Number.isNaN(part)) : [];
  });
  return Math.max(0, ...own) + 1;
}

function parsed(json: string | undefined): Data {
  try {
    const value: unknown = JSON.parse(json ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
