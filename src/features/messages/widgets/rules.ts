import { fieldsIn, parseJson } from '#kernel/text';

/** A submessage: how a widget began, or what was done with it. */
export interface Part {
  readonly sender_id: number;
  readonly msg_type: string;
  readonly content: string;
}

type Data = Readonly<Record<string, unknown>>;

/** Where a widget has its title at first; the events that change it, and where those have the new one. */
const TITLES = {
  poll: { first: 'question', event: 'question', field: 'question' },
  todo: { first: 'task_list_title', event: 'new_task_list_title', field: 'title' },
} as const;

/** The question of a poll or the title of a to-do list. */
export interface WidgetTitle {
  readonly kind: keyof typeof TITLES;
  readonly title: string;
}

/** Returns what a widget is about, as its author changed it last; undefined without one that has a title. */
export function widgetTitle(parts: readonly Part[], authorId: number): WidgetTitle | undefined {
  const [first, ...rest] = widgetParts(parts);
  const kind = first?.data['widget_type'];
  if (kind !== 'poll' && kind !== 'todo') return undefined;
  const { first: name, event, field } = TITLES[kind];
  const changed = rest.findLast(({ by, data }) => by === authorId && data['type'] === event);
  const title = changed ? changed.data[field] : fieldsIn(first?.data['extra_data'])[name];
  return { kind, title: typeof title === 'string' ? title : '' };
}

/** What widgets with a title are called. */
const KINDS = { poll: 'Poll', todo: 'To-do list' } as const;

/** What a widget is and is about, for those who see no widget. */
export function widgetWords({ kind, title }: WidgetTitle): string {
  return title === '' ? KINDS[kind] : `${KINDS[kind]}: ${title}`;
}

/** Parses the submessages of a widget, the one that made it first. */
export function widgetParts(parts: readonly Part[]): readonly { readonly by: number; readonly data: Data }[] {
  return parts
    .filter(({ msg_type }) => msg_type === 'widget')
    .map(({ sender_id, content }) => ({ by: sender_id, data: fieldsIn(parseJson(content)) }));
}
