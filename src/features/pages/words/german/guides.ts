import type { Translated } from '#kernel/text';
import type { guides as english } from '../english/guides.ts';

/** Texts of the pages about connecting an app and about first steps. */
export const guides = {
  'address.code': 'Ein Code, der diese Seite auf einem Handy öffnet',
  'address.title': 'Adresse dieses Servers',
  'address.local':
    'Diese Adresse erreicht nur der Rechner, auf dem der Server läuft. Für andere muss der Betreiber des Servers ROOST_EXTERNAL_URL setzen.',
  'address.scan':
    'Scanne den Code mit der Kamera eines Handys, um diese Seite dort zu öffnen, und kopiere die Adresse in die App.',
  'apps.title': 'Eine App verbinden',
  'apps.lede':
    'Jede App fragt nach denselben drei Dingen: der Adresse dieses Servers, deiner E-Mail-Adresse und deinem Passwort.',
  'apps.browser': 'In einem Browser',
  'apps.browserText':
    'Nichts zu installieren: {link}. Über das Menü der meisten Browser kommt er auch zu deinen Apps oder auf den Startbildschirm eines Handys.',
  'apps.browserLink': 'Öffne diesen Server',
  'apps.phone': 'Auf einem Handy',
  'apps.phoneText':
    'Die App {app} aus dem Store deines Handys funktioniert mit diesem Server. Wähle „Konto hinzufügen“, gib die Adresse von oben ein, dann deine E-Mail-Adresse und dein Passwort.',
  'apps.terminal': 'In einem Terminal',
  'apps.terminalText':
    'Beim Start fragt es nach den drei Dingen. Mit Python 3.11 oder neuer füge der ersten Zeile {option} hinzu.',
  'apps.program': 'Aus einem Programm',
  'apps.programText':
    'Leg in den Einstellungen des Webclients einen Bot an und lade seine Datei {file} herunter: Darin stehen die Adresse, der Name des Bots und sein Schlüssel. {api} beschreibt jede Operation.',
  'guide.api': 'Die API',
  'help.title': 'Erste Schritte',
  'help.lede': 'Nachrichten stehen in Kanälen, und jede Nachricht in einem Kanal hat ein Thema.',
  'help.channels': 'Kanäle und Themen',
  'help.channel': 'Kanal',
  'help.topic': 'Thema',
  'help.direct': 'Direktnachricht',
  'help.channelsText':
    'Ein {channel} ist für ein Team, ein Projekt oder ein Gebiet. Ein {topic} ist ein Gespräch darin, mit einem Namen aus zwei oder drei Wörtern. Mehrere Themen laufen nebeneinander, und jedes lässt sich im Ganzen lesen, auch später. Um etwas Neues zu fragen, beginne ein neues Thema; um zu antworten, öffne das Thema und schreib.',
  'help.directText': 'Eine {direct} ist für eine Person oder wenige.',
  'help.inbox': 'Eingang und Benachrichtigungen',
  'help.inboxText':
    'Im Eingang steht, was du nicht gelesen hast, Thema für Thema. Schalte Themen und Kanäle stumm, die dich nicht betreffen, und folge Themen, die du nicht verpassen willst. Worüber du benachrichtigt wirst, steht unter Einstellungen, Benachrichtigungen.',
  'help.writing': 'Schreiben',
  'help.formats': 'So formatierst du',
  'help.bold': 'fett',
  'help.italic': 'kursiv',
  'help.code': 'Code; drei Gravis-Zeichen vor und nach mehreren Zeilen',
  'help.quotation': 'ein Zitat',
  'help.list': 'eine Liste',
  'help.mention': 'erwähnt jemanden, der das dann erfährt',
  'help.toChannel': 'verlinkt einen Kanal, und nach > ein Thema',
  'help.emoji': 'ein Emoji',
  'help.keys': 'Tasten',
  'help.keysOf': 'Tasten des Webclients',
  'help.allKeys': 'alle Tasten',
  'help.ctrlK': 'Strg K',
  'help.goTo': 'zu einem Gespräch, einer Person oder einer Einstellung gehen',
  'help.next': 'nächstes Thema mit ungelesenen Nachrichten',
  'help.reply': 'auf die Nachricht antworten',
  'help.compose': 'neue Nachricht in einem Kanal',
  'help.composeDirect': 'neue Direktnachricht',
  'help.search': 'suchen',
  'help.trouble': 'Wenn etwas nicht geht',
  'help.noPush':
    'Keine Benachrichtigung auf dem Handy, wenn die App geschlossen ist: Dieser Server braucht einen Push-Dienst, den sein Betreiber einrichtet.',
  'help.noMail':
    'Keine E-Mail: Sieh bei den unerwünschten nach, dann frag den Betreiber dieses Servers. Er kann einen Link erstellen, mit dem du ein neues Passwort wählst.',
  'help.noChannel': 'Ein Kanal steht nicht in der Liste: Er ist privat, und jemand darin kann dich hinzufügen.',
  'guide.openClient': 'Den Webclient öffnen',
} as const satisfies Translated<typeof english>;
