import type { Translated } from '#kernel/text';
import type { widgets as english } from '../english/widgets.ts';

/** Texts of polls and to-do lists. */
export const widgets = {
  'poll.addOption': 'Antwort hinzufügen',
  'poll.votes': { one: '{count} Stimme', other: '{count} Stimmen' },
  'poll.several': 'Mehrere Antworten sind möglich.',
  'poll.editQuestion': 'Frage ändern',
  'poll.option': 'Neue Antwort',
  'todo.new': 'Neue Aufgabe',
  'todo.add': 'Hinzufügen',
  'choices.sent': 'Gesendet',
  'todo.placeholder': 'Aufgabe hinzufügen',
  'todo.done': '{done} von {all} erledigt. Alle hier dürfen Aufgaben abhaken und hinzufügen.',
} as const satisfies Translated<typeof english>;
