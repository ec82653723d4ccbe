import type { Translated } from '#kernel/text';
import type { common as english } from '../english/common.ts';

/** Texts that several pages share. */
export const common = {
  'common.logIn': 'Anmelden',
  'common.backToLogIn': 'Zurück zur Anmeldung',
  'common.tryAgain': 'Noch einmal versuchen',
  'common.openRoost': 'Roost öffnen',
  'common.open': '{name} öffnen',
  'common.or': 'oder',
  'common.start': 'Startseite',
  'common.email': 'E-Mail-Adresse',
  'common.yourName': 'Dein Name',
  'common.password': 'Passwort',
  'common.passwordHint': 'Mindestens {min} Zeichen. Ein Satz ist besser als ein Rätsel.',
  'common.code': 'Code',
  'common.checkEmail': 'Sieh in deine E-Mails',
  'common.linkOver': 'Dieser Link gilt nicht mehr',
  'common.passkeyRefused': 'Das ging nicht. Versuch es noch einmal, oder nimm einen anderen Weg.',
  'common.passkeyKnown': 'Auf diesem Gerät ist schon ein Passkey von dir.',
  'common.usePasskey': 'Passkey verwenden',
  'wait.minutes': { one: 'eine Minute', other: '{count} Minuten' },
  'wait.hours': { one: 'eine Stunde', other: '{count} Stunden' },
  'wait.title': 'Zu viele Versuche',
  'wait.text': 'Warte {time} und versuch es noch einmal.',
  'form.title': 'Nicht gesendet',
  'form.text': 'Dieses Formular kam nicht von diesem Server, oder dein Browser blockiert Cookies.',
  'client.hello': 'Hallo {name}',
  'client.loggedIn': 'Du bist als {email} angemeldet.',
  'client.script': 'Diese Seite braucht JavaScript, Apps nicht. Verbinde eine mit {url}, um mitzureden.',
  'client.notBuilt': 'Der Webclient ist nicht gebaut',
  'client.build': 'Führe npm run build aus.',
  'missing.title': 'Hier sitzt nichts',
  'missing.organization':
    'Unter dieser Adresse gibt es keine Organisation. Prüfe sie auf Tippfehler, oder frag, wer sie dir gegeben hat.',
  'missing.text':
    'Vielleicht ist die Adresse vertippt, oder was hier war, wurde verschoben, gelöscht oder ist nicht für dich.',
} as const satisfies Translated<typeof english>;
