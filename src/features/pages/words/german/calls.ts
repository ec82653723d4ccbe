import type { Translated } from '#kernel/text';
import type { calls as english } from '../english/calls.ts';

/** Texts of the pages of video calls. */
export const calls = {
  'calls.back': 'Zurück zu den Nachrichten',
  'calls.none': 'Kein Anruf',
  'calls.absent': 'BigBlueButton ist nicht eingerichtet.',
  'calls.signature': 'Die Signatur ist ungültig. Bitte die Person, die dir diese Adresse gesendet hat, um eine neue.',
  'calls.unreachable': 'Der BigBlueButton-Server ist nicht zu erreichen. Versuch es gleich noch einmal.',
  'calls.checksum': 'Der BigBlueButton-Server nimmt diesen Server nicht an. Sag es dem Betreiber dieses Servers.',
  'calls.refused': 'Der BigBlueButton-Server meldet einen unerwarteten Fehler. Sag es dem Betreiber dieses Servers.',
  'zoom.not': 'Zoom ist nicht verbunden',
  'zoom.absent': 'Für Zoom sind keine Zugangsdaten eingerichtet.',
  'zoom.session': 'Diese Zoom-Sitzung ist ungültig. Beginne den Anruf noch einmal.',
  'zoom.denied': 'Zoom wurde nicht verbunden. Du kannst den Anruf noch einmal beginnen.',
  'zoom.refused': 'Die Zugangsdaten für Zoom sind ungültig. Sag es dem Betreiber dieses Servers.',
  'zoom.failed': 'Zoom antwortet gerade nicht. Versuch es später noch einmal.',
  'zoom.connected': 'Zoom ist verbunden',
  'zoom.connectedLede': 'Deine Anrufe laufen von jetzt an über dein Zoom-Konto. Du kannst dieses Fenster schließen.',
} as const satisfies Translated<typeof english>;
