import { describe, expect, it } from 'vitest';
import { nextIndex, widgetOf } from './widget-state.ts';

const part = (sender_id: number, content: unknown) => ({
  sender_id,
  msg_type: 'widget',
  content: typeof content === 'string' ? content : JSON.stringify(content),
});
const POLL = part(1, { widget_type: 'poll', extra_data: { question: 'Which bird?', options: ['Rook', 'Owl'] } });
const TODO = part(1, {
  widget_type: 'todo',
  extra_data: { task_list_title: 'Nest', tasks: [{ task: 'Sweep', desc: '' }] },
});

describe('widgets', () => {
  it('are forms with what can be answered, whatever else stands in them', () => {
    const form = (extra_data: unknown) => widgetOf([part(1, { widget_type: 'zform', extra_data })], 1);
    const choices = [
      { type: 'multiple_choice', short_name: 'A', long_name: 'A rook', reply: 'answer A' },
      { short_name: 'B', long_name: 'Nothing is sent for it' },
      7,
    ];
    expect(form({ type: 'choices', heading: 'Which bird?', choices })).toEqual({
      kind: 'form',
      heading: 'Which bird?',
      choices: [{ short: 'A', long: 'A rook', reply: 'answer A' }],
    });
    expect(form({ type: 'choices', heading: 'Nothing' })).toEqual({ kind: 'form', heading: 'Nothing', choices: [] });
    expect(form({ type: 'slider', heading: 'Of a newer server' })).toBeUndefined();
  });

  it('are polls that count each vote once, take votes back, and let anybody add an option', () => {
    const state = widgetOf(
      [
        POLL,
        part(2, { type: 'vote', key: 'canned,0', vote: 1 }),
        part(2, { type: 'vote', key: 'canned,0', vote: 1 }),
        part(3, { type: 'vote', key: 'canned,0', vote: 1 }),
        part(3, { type: 'vote', key: 'canned,0', vote: -1 }),
        part(3, { type: 'new_option', option: 'Jay', idx: 1 }),
        part(2, { type: 'new_option', option: 'Jay', idx: 1 }),
        part(1, { type: 'vote', key: '3,1', vote: 1 }),
      ],
      1,
    );
    expect(state).toEqual({
      kind: 'poll',
      question: 'Which bird?',
      options: [
        { key: 'canned,0', text: 'Rook', voters: [2] },
        { key: 'canned,1', text: 'Owl', voters: [] },
        { key: '3,1', text: 'Jay', voters: [1] },
      ],
    });
  });

  it('let only the author change the question', () => {
    const asked = (by: number) => widgetOf([POLL, part(by, { type: 'question', question: 'Other?' })], 1);
    expect(asked(1)).toMatchObject({ question: 'Other?' });
    expect(asked(2)).toMatchObject({ question: 'Which bird?' });
  });

  it('are to-do lists that tick and untick', () => {
    const parts = [
      TODO,
      part(2, { type: 'new_task', key: 1, task: 'Line', desc: 'with moss', completed: false }),
      part(1, { type: 'strike', key: '0,canned' }),
      part(1, { type: 'strike', key: '1,2' }),
      part(2, { type: 'strike', key: '1,2' }),
    ];
    expect(widgetOf(parts, 1)).toEqual({
      kind: 'todo',
      title: 'Nest',
      tasks: [
        { key: '0,canned', text: 'Sweep', note: undefined, isDone: true },
        { key: '1,2', text: 'Line', note: 'with moss', isDone: false },
      ],
    });
  });

  it('are nothing where the parts are not understood', () => {
    for (const content of ['', 'null', '[]', '{"widget_type":"zform"}', '{"widget_type":"later"}'])
      expect(widgetOf([part(1, content)], 1)).toBeUndefined();
    const odd = [POLL, part(2, 'no json'), part(2, [1]), part(2, { type: 'vote', key: 'gone,9', vote: 1 })];
    expect(widgetOf(odd, 1)).toMatchObject({ options: [{ voters: [] }, { voters: [] }] });
  });

  it('give each new option of a person an index of its own', () => {
    expect(nextIndex(['canned,0', '7,1', '7,2', '8,5'], 7)).toBe(3);
    expect(nextIndex(['canned,0'], 7)).toBe(1);
    expect(nextIndex(['0,canned', '1,7'], 7)).toBe(2);
    expect(nextIndex(['7,6', '7,7'], 7)).toBe(8);
  });
});
