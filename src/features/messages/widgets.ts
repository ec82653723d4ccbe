import type { Widget } from '#features/rendering';
import { WidgetInvalid, WidgetNotJson } from './errors.ts';

/** Widgets that a bot may ask for. Contract surrounding 2.3.8. */
const KINDS = new Set(['poll', 'todo', 'zform']);

/** The widget that a bot asks for outright; undefined for none. Contract surrounding 3.3, step 5. */
export function parseWidgetContent(text: string | undefined): Widget | undefined {
  if (text === undefined || text === '') return undefined;
  const value = parse(text);
  if (!isDict(value)) throw WidgetInvalid({ why: 'widget_content is not a dict' });
  if (!('widget_type' in value)) throw WidgetInvalid({ why: 'widget_type is not in widget_content' });
  if (!('extra_data' in value)) throw WidgetInvalid({ why: 'extra_data is not in widget_content' });
  const { widget_type, extra_data } = value;
  if (!isDict(extra_data)) throw WidgetInvalid({ why: 'extra_data is not a dict' });
  if (typeof widget_type !== 'string' || !KINDS.has(widget_type))
    throw WidgetInvalid({ why: `unknown widget type: ${String(widget_type)}` });
  if (widget_type === 'zform') assertForm(extra_data);
  return { widget_type, extra_data };
}

function assertForm(data: Readonly<Record<string, unknown>>): void {
  if (!('type' in data)) throw WidgetInvalid({ why: 'zform is missing type field' });
  if (data['type'] !== 'choices') throw WidgetInvalid({ why: `unknown zform type: ${String(data['type'])}` });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw WidgetNotJson();
  }
}

function isDict(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
