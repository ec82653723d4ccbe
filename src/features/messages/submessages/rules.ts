import { anyOf, bool, firstFault, int, lenientObject, literal, matching, type Shape, str } from '#kernel/schema';
import { lookUp } from '#kernel/lists';
import { codePointLength, fieldsIn, parseJson } from '#kernel/text';
import { SubmessageRefused, TooManyParts, WidgetDataInvalid } from './errors.ts';

/** Largest index of an option or a task. See protocol/reactions#submessages. */
const MAX_INDEX = 1000;
/** Most parts of one message, and most characters of them: readers of the message get all of them. */
export const MOST_PARTS = { parts: 10_000, characters: 1_000_000 };
/** Most parts of one person in a message, and most characters of them. */
const MOST_OWN = { parts: 1000, characters: 100_000 };
const index = int({ min: 0, max: MAX_INDEX });
/**
 * The user who added an option, or `canned` for the message's own, and its index. The phone app shows no conversation
 * with a key of another form.
 */
const optionKey = matching(/^(?:canned|\d{1,15}),\d{1,4}$/, { max: 30 });
const taskKey = matching(/^\d{1,4},(?:canned|\d{1,15})$/, { max: 30 });

/** Kinds of parts of each widget, with their members besides `type`. */
const WIDGETS: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  poll: {
    vote: { key: optionKey, vote: anyOf(literal(1), literal(-1)) },
    question: { question: str() },
    new_option: { option: str(), idx: index },
  },
  todo: {
    new_task: { key: index, task: str(), desc: str(), completed: bool() },
    strike: { key: taskKey },
    new_task_list_title: { title: str() },
  },
  zform: {},
};
const AUTHORS_ONLY = new Map([
  ['question', "You can't edit a question unless you are the author."],
  ['new_task_list_title', "You can't edit the task list title unless you are the author."],
]);

/** Throws unless `data` may be added to a widget of this type. See protocol/reactions#submessages. */
export function assertWidgetData(widgetType: string | undefined, data: unknown, isAuthor: boolean): void {
  const kinds = widgetType === undefined ? undefined : lookUp(WIDGETS, widgetType);
  if (!kinds) throw SubmessageRefused();
  const type = typeOf(data);
  const shape = lookUp(kinds, type);
  if (!shape) throw WidgetDataInvalid({ fault: `Unknown type for ${widgetType} data: ${type}` });
  const faulty = firstFault(lenientObject(shape), `${widgetType} data`, data);
  if ('fault' in faulty) throw WidgetDataInvalid({ fault: faulty.fault });
  const unknown = Object.keys(data ?? {}).filter((key) => key !== 'type' && !Object.hasOwn(shape, key));
  if (unknown.length > 0) throw WidgetDataInvalid({ fault: `Unexpected arguments: ${unknown.join(', ')}` });
  const fault = AUTHORS_ONLY.get(type);
  if (fault !== undefined && !isAuthor) throw WidgetDataInvalid({ fault });
}

/** Throws if a message, or the sender in it, has no room for another part. See protocol/reactions#submessages. */
export function assertRoomForPart({ all, own }: Readonly<Record<'all' | 'own', Amount>>, content: string): void {
  if (!hasRoom(all, content, MOST_PARTS) || !hasRoom(own, content, MOST_OWN)) throw TooManyParts();
}

/** How many parts there are, or may be, and characters of them. */
interface Amount {
  readonly parts: number;
  readonly characters: number;
}

function hasRoom({ parts, characters }: Amount, content: string, most: Amount): boolean {
  return parts < most.parts && characters + codePointLength(content) <= most.characters;
}

function typeOf(data: unknown): string {
  const { type } = fieldsIn(data);
  return typeof type === 'string' ? type : '';
}

/** The widget that a message's first part makes; undefined for other parts. */
export function widgetTypeOf(content: string | undefined): string | undefined {
  const { widget_type } = fieldsIn(parseJson(content ?? ''));
  return typeof widget_type === 'string' ? widget_type : undefined;
}
