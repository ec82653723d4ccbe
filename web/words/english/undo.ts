/** Texts of notices about actions that can be undone. */
export const undo = {
  'undo.read': { one: '{count} message marked as read.', other: '{count} messages marked as read.' },
  'undo.resolved': '“{name}” is resolved.',
  'undo.reopened': '“{name}” is open again.',
  'undo.moved': { one: '{count} message moved to “{name}”.', other: '{count} messages moved to “{name}”.' },
  'undo.movedAll': 'Moved to “{name}”.',
  'undo.left': 'You left {name}.',
  'undo.role': '{name} is now: {role}.',
  'undo.permission': '“{name}” was changed.',
  'undo.personMuted': '{name} is muted.',
  'undo.personUnmuted': '{name} is not muted any more.',
  'topicMenu.isPlain': '“{name}” is neither followed nor muted.',
  'topicMenu.isMuted': '“{name}” is muted.',
  'topicMenu.isUnmuted': '“{name}” is not muted.',
  'topicMenu.isFollowed': 'You follow “{name}”.',
  'notice.slow': 'The server has not answered yet. What you typed is kept.',
  'notice.unstored': 'This browser has no storage left. Unsent messages are lost when you close the page.',
  'notice.limited': {
    one: 'Too many requests. Trying again in {count} second.',
    other: 'Too many requests. Trying again in {count} seconds.',
  },
  'compose.takeBack': 'Take back',
} as const;
