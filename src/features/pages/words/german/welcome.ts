import type { Translated } from '#kernel/text';
import type { welcome as english } from '../english/welcome.ts';

/** Texts of the first steps of a new organization. */
export const welcome = {
  'welcome.ready': '{name} ist bereit',
  'welcome.lede':
    'Drei Dinge helfen am Anfang. Das geht auch später: Die Einstellungen der Organisation führen hierher zurück.',
  'welcome.invite': '1. Lade deine Kolleginnen und Kollegen ein',
  'welcome.connect': '2. Verbinde ein Handy oder ein Terminal',
  'welcome.connectHow': 'Wie man jede App verbindet',
  'welcome.yours': '3. Mach es zu deinem',
  'welcome.profile': 'Dein Name, dein Bild und deine Zeitzone',
  'welcome.profileText': 'Was andere von dir sehen',
  'welcome.channels': 'Ein Kanal für jedes Team oder Projekt',
  'welcome.channelsText': 'Themen erledigen den Rest',
  'welcome.organization': 'Beschreibung und Bilder der Organisation',
  'welcome.organizationText': 'Zu sehen bei der Anmeldung und in jeder App',
  'welcome.members': 'Mitglieder',
  'welcome.moderators': 'Moderatoren',
  'welcome.administrators': 'Administratoren',
  'welcome.guests': 'Gäste',
  'welcome.in10Days': 'in 10 Tagen',
  'welcome.inADay': 'in einem Tag',
  'welcome.in30Days': 'in 30 Tagen',
  'welcome.never': 'nie',
  'welcome.role': 'Eingeladene werden',
  'welcome.expires': 'Die Einladung läuft ab',
  'welcome.link': 'Link zum Weitergeben',
  'welcome.linkHint':
    'Wer ihn hat, kann beitreten, bis er abläuft. Widerrufen lässt er sich im Webclient unter Organisation, Einladungen.',
  'welcome.makeLink': 'Link erstellen',
  'welcome.makeAnother': 'Noch einen Link erstellen',
  'welcome.emails': 'E-Mail-Adressen',
  'welcome.emailsHint': 'Getrennt durch Kommas oder neue Zeilen.',
  'welcome.toFolder':
    'Dieser Server hat noch keinen Mailserver und schreibt E-Mails in einen Ordner: Gib besser einen Link weiter.',
  'welcome.send': 'Einladungen senden',
  'welcome.sent': 'Die Einladungen wurden gesendet.',
  'welcome.operator': 'Für den Betreiber dieses Servers',
  'welcome.encrypted': 'Er ist verschlüsselt unter {url} zu erreichen.',
  'welcome.notEncrypted':
    'Seine Adresse ist {url}, unverschlüsselt. Setz einen Proxy mit einem Zertifikat davor, und setz ROOST_EXTERNAL_URL.',
  'welcome.mail': 'Ein Mailserver ist eingerichtet. Probier ihn mit roost mail test ADRESSE aus.',
  'welcome.noMail': 'Es ist kein Mailserver eingerichtet. Setz ROOST_SMTP_URL.',
  'welcome.backups': 'Mach Sicherungen mit roost backup ORDNER, und übe einmal roost restore.',
  'welcome.doctor': 'roost doctor findet andere Probleme.',
} as const satisfies Translated<typeof english>;
