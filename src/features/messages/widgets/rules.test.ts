import { expect, it } from 'vitest';
import { widgetTitle } from './rules.ts';

const part = (sender_id: number, content: unknown) => ({
  sender_id,
  msg_type: 'widget',
  content: typeof content === 'string' ? content : JSON.stringify(content),
});

it('what a widget is about is as its author said it last, whatever others sent', () => {
  const poll = part(1, { widget_type: 'poll', extra_data: { question: 'Which bird?', options: [] } });
  const todo = part(1, { widget_type: 'todo', extra_data: { task_list_title: 'Nest', tasks: [] } });
  expect(widgetTitle([poll], 1)).toEqual({ kind: 'poll', title: 'Which bird?' });
  const changes = [
    part(1, { type: 'question', question: 'Which owl?' }),
    part(2, { type: 'question', question: 'No' }),
  ];
  expect(widgetTitle([poll, ...changes], 1)).toEqual({ kind: 'poll', title: 'Which owl?' });
  expect(widgetTitle([todo, part(1, { type: 'new_task_list_title', title: 'New nest' })], 1)).toEqual({
    kind: 'todo',
    title: 'New nest',
  });
  expect(widgetTitle([part(1, { widget_type: 'todo', extra_data: 7 })], 1)).toEqual({ kind: 'todo', title: '' });
  for (const other of ['{', 'null', JSON.stringify({ widget_type: 'zform' })])
    expect(widgetTitle([part(1, other)], 1)).toBeUndefined();
  expect(widgetTitle([], 1)).toBeUndefined();
});
