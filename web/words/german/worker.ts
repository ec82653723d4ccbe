import type { Translated } from '#kernel/text';
import type { worker as english } from '../english/worker.ts';

/** Texts of notifications, and of turning them on. The service worker has only these. */
export const worker = {
  'worker.new': 'Neue Nachricht',
  'worker.works': 'Benachrichtigungen funktionieren.',
  'worker.general': 'allgemeiner Chat',
  'worker.reply': 'Antworten',
  'worker.read': 'Als gelesen markieren',
  'worker.unsent': 'Deine Antwort wurde nicht gesendet',
  'push.title': 'Dieser Browser',
  'push.lede':
    'Benachrichtigt dich über Nachrichten, wenn keine Seite offen ist. Alles ist Ende-zu-Ende-verschlüsselt.',
  'push.label': 'Auf diesem Gerät benachrichtigen',
  'push.unsupported':
    'Dieser Browser kann das nicht. Auf einem iPhone oder iPad musst du Roost zuerst zum Home-Bildschirm hinzufügen.',
  'push.denied':
    'Der Browser blockiert Benachrichtigungen. Erlaube sie für diese Seite in den Einstellungen des Browsers.',
  'push.test': 'Test senden',
  'push.sent': 'Eine Testbenachrichtigung wurde gesendet.',
  'push.try': 'Ausprobieren',
  'push.failed': 'Der Push-Dienst dieses Browsers war nicht erreichbar. Versuche es später noch einmal.',
  'push.devices': 'Geräte, die benachrichtigt werden',
  'push.unreachable': 'der Push-Dienst war nicht erreichbar',
  'push.timeout': 'der Push-Dienst hat nicht geantwortet',
  'push.app': 'Eine App',
  'push.last': 'Letzte Benachrichtigung: {when}',
  'push.never': 'Noch keine Benachrichtigung',
  'push.failing': 'Nicht erreicht seit: {when} ({why})',
  'push.phone.fcm': 'Die App auf einem Android-Handy',
  'push.phone.apns': 'Die App auf einem iPhone oder iPad',
  'push.remove': 'Entfernen',
} as const satisfies Translated<typeof english>;
