import type { Widget } from '#features/rendering';
import { firstFault, lenientObject, list, literal, MAX_TEXT, maybe, str } from '#kernel/schema';
import { codePointLength, isObject } from '#kernel/text';
import { WidgetInvalid, WidgetNotJson } from './errors.ts';

/** A question with buttons, which is the only form there is. See protocol/reactions#submessages. */
const FORM = lenientObject({
  type: literal('choices'),
  heading: str(),
  choices: list(lenientObject({ type: maybe(str()), short_name: str(), long_name: str(), reply: str() })),
});

/** Parses the widget that a client explicitly asks for; undefined for none. See protocol/messages#checks, step 5. */
export function parseWidgetContent(text: string | undefined): Widget | undefined {
  if (text === undefined || text === '') return undefined;
  // Answers of bots are larger than a parameter can be, and everybody who reads the message gets the widget.
  if (codePointLength(text) > MAX_TEXT)
    throw WidgetInvalid({ why: `widget_content is too long (limit: ${MAX_TEXT} characters)` });
  return readWidget(parse(text));
}

/**
 * Reads a form and keeps only the members of forms: clients use widgets without validating them, so anything unexpected
 * would crash them. Polls and to-do lists begin as `/poll` and `/todo`. See protocol/reactions#submessages.
 */
export function readWidget(value: unknown): Widget {
  if (!isObject(value)) throw WidgetInvalid({ why: 'widget_content is not a dict' });
  if (!('widget_type' in value)) throw WidgetInvalid({ why: 'widget_type is not in widget_content' });
  if (!('extra_data' in value)) throw WidgetInvalid({ why: 'extra_data is not in widget_content' });
  const { widget_type, extra_data } = value;
  if (!isObject(extra_data)) throw WidgetInvalid({ why: 'extra_data is not a dict' });
  if (widget_type !== 'zform') throw WidgetInvalid({ why: `unknown widget type: ${named(widget_type)}` });
  return { widget_type, extra_data: readForm(extra_data) };
}

function readForm(data: Readonly<Record<string, unknown>>): Widget['extra_data'] {
  if (!('type' in data)) throw WidgetInvalid({ why: 'zform is missing type field' });
  if (data['type'] !== 'choices') throw WidgetInvalid({ why: `unknown zform type: ${named(data['type'])}` });
  const read = firstFault(FORM, 'extra_data', data);
  if ('fault' in read) throw WidgetInvalid({ why: read.fault });
  return read.value;
}

const named = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw WidgetNotJson();
  }
}
