import type { Translated } from '#kernel/text';
import type { undo as english } from '../english/undo.ts';

/** Texts of notices about actions that can be undone. */
export const undo = {
  'undo.read': {
    one: '{count} Nachricht als gelesen markiert.',
    other: '{count} Nachrichten als gelesen markiert.',
  },
  'undo.resolved': '„{name}“ ist erledigt.',
  'undo.reopened': '„{name}“ ist wieder offen.',
  'undo.moved': {
    one: '{count} Nachricht nach „{name}“ verschoben.',
    other: '{count} Nachrichten nach „{name}“ verschoben.',
  },
  'undo.movedAll': 'Nach „{name}“ verschoben.',
  'undo.left': 'Du hast {name} verlassen.',
  'undo.role': '{name} ist jetzt: {role}.',
  'undo.permission': '„{name}“ wurde geändert.',
  'undo.personMuted': '{name} ist stummgeschaltet.',
  'undo.personUnmuted': '{name} ist nicht mehr stummgeschaltet.',
  'topicMenu.isPlain': '„{name}“ ist nicht stummgeschaltet, und du folgst dem Thema nicht.',
  'topicMenu.isMuted': '„{name}“ ist stummgeschaltet.',
  'topicMenu.isUnmuted': '„{name}“ ist nicht stummgeschaltet.',
  'topicMenu.isFollowed': 'Du folgst „{name}“.',
  'notice.slow': 'Der Server hat noch nicht geantwortet. Deine Eingabe bleibt erhalten.',
  'notice.unstored':
    'Dieser Browser hat keinen Speicherplatz mehr. Ungesendete Nachrichten gehen verloren, wenn du die Seite schließt.',
  'notice.limited': {
    one: 'Zu viele Anfragen. Nächster Versuch in {count} Sekunde.',
    other: 'Zu viele Anfragen. Nächster Versuch in {count} Sekunden.',
  },
  'compose.takeBack': 'Zurückholen',
} as const satisfies Translated<typeof english>;
