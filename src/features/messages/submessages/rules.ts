import { anyOf, bool, firstFault, int, lenientObject, literal, type Shape, str } from '#kernel/schema';
import { WidgetDataInvalid } from './errors.ts';

/** Largest index of an option or a task. Contract surrounding 2.3.8. */
const MAX_INDEX = 1000;
const index = int({ min: 0, max: MAX_INDEX });

/** Kinds of parts of each widget, with their members besides `type`. */
const WIDGETS: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  poll: {
    vote: { key: str(), vote: anyOf(literal(1), literal(-1)) },
    question: { question: str() },
    new_option: { option: str(), idx: index },
  },
  todo: {
    new_task: { key: index, task: str(), desc: str(), completed: bool() },
    strike: { key: str() },
    new_task_list_title: { title: str() },
  },
};
const AUTHORS_ONLY = new Map([
  ['question', "You can't edit a question unless you are the author."],
  ['new_task_list_title', "You can't edit the task list title unless you are the author."],
]);

/** Throws unless `data` may be added to a widget of this type. Contract surrounding 2.3.8. */
export function assertWidgetData(widgetType: string, data: unknown, isAuthor: boolean): void {
  const kinds = Object.hasOwn(WIDGETS, widgetType) ? WIDGETS[widgetType] : undefined;
  if (!kinds) return;
  const type = typeOf(data);
  const shape = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (!shape) throw WidgetDataInvalid({ fault: `Unknown type for ${widgetType} data: ${type}` });
  const faulty = firstFault(lenientObject(shape), `${widgetType} data`, data);
  if ('fault' in faulty) throw WidgetDataInvalid({ fault: faulty.fault });
  const unknown = Object.keys(data ?? {}).filter((key) => key !== 'type' && !Object.hasOwn(shape, key));
  if (unknown.length > 0) throw WidgetDataInvalid({ fault: `Unexpected arguments: ${unknown.join(', ')}` });
  const fault = AUTHORS_ONLY.get(type);
  if (fault !== undefined && !isAuthor) throw WidgetDataInvalid({ fault });
}

function typeOf(data: unknown): string {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string' ? data.type : '';
}

/** The widget that a message's first part makes; undefined for other parts. */
export function widgetTypeOf(content: string | undefined): string | undefined {
  const value = content === undefined ? undefined : parseJson(content);
  return typeof value === 'object' && value !== null && 'widget_type' in value && typeof value.widget_type === 'string'
    ? value.widget_type
    : undefined;
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
