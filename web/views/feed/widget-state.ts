import { type Part, widgetParts, widgetTitle } from '#features/messages/widgets/rules';
import { isRecord } from '../../api/index.ts';

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
  const [first, ...events] = widgetParts(parts);
  const made = first?.data ?? {};
  const extra = isRecord(made['extra_data']) ? made['extra_data'] : {};
  if (made['widget_type'] === 'zform') return formOf(extra);
  const titled = widgetTitle(parts, authorId);
  if (titled?.kind === 'poll') return { kind: 'poll', question: titled.title, options: optionsOf(extra, events) };
  return titled && { kind: 'todo', title: titled.title, tasks: tasksOf(extra, events) };
}

type Data = Readonly<Record<string, unknown>>;
type Said = ReturnType<typeof widgetParts>[number];

function optionsOf(extra: Data, events: readonly Said[]): PollState['options'] {
  const options = new Map<string, { readonly text: string; readonly voters: Set<number> }>();
  const add = (key: string, shown: string) => {
    const isThere = [...options.values()].some((one) => one.text === shown);
    if (!isThere && !options.has(key)) options.set(key, { text: shown, voters: new Set() });
  };
  list(extra['options']).forEach((option, index) => add(`canned,${index}`, text(option)));
  for (const { by, data: event } of events) {
    if (event['type'] === 'new_option') add(`${by},${Number(event['idx'])}`, text(event['option']));
    if (event['type'] !== 'vote') continue;
    const voters = options.get(text(event['key']))?.voters;
    if (event['vote'] === 1) voters?.add(by);
    else voters?.delete(by);
  }
  return [...options].map(([key, one]) => ({ key, text: one.text, voters: [...one.voters] }));
}

function tasksOf(extra: Data, events: readonly Said[]): TodoState['tasks'] {
  const tasks = new Map<string, TodoState['tasks'][number]>();
  const add = (key: string, task: Data) => {
    if (tasks.has(key)) return;
    const note = text(task['desc']);
    const isDone = task['completed'] === true;
    tasks.set(key, { key, text: text(task['task']), note: note === '' ? undefined : note, isDone });
  };
  list(extra['tasks']).forEach((task, index) => isRecord(task) && add(`${index},canned`, task));
  for (const { by, data: event } of events) {
    if (event['type'] === 'new_task') add(`${Number(event['key'])},${by}`, event);
    const struck = event['type'] === 'strike' ? tasks.get(text(event['key'])) : undefined;
    if (struck) tasks.set(struck.key, { ...struck, isDone: !struck.isDone });
  }
  return [...tasks.values()];
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

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
