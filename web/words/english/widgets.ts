/** Texts of polls and to-do lists. */
export const widgets = {
  'poll.addOption': 'Add an option',
  'poll.votes': { one: '{count} vote', other: '{count} votes' },
  'poll.several': 'Several answers may be chosen.',
  'poll.editQuestion': 'Change the question',
  'poll.option': 'New option',
  'todo.new': 'New task',
  'todo.add': 'Add',
  'choices.sent': 'Sent',
  'todo.placeholder': 'Add a task',
  'todo.done': '{done} of {all} done. Anybody here may tick and add tasks.',
} as const;
