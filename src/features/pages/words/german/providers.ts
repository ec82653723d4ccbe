import type { Translated } from '#kernel/text';
import type { providers as english } from '../english/providers.ts';

/** Texts of the pages about sign-in providers and the accounts that people connect there. */
export const providers = {
  'provider.title': 'Nicht angemeldet',
  'provider.another': 'Das ist nicht das Konto, mit dem du angemeldet bist.',
  'provider.slowDown': 'Zu viele Versuche. Warte eine Weile und versuch es noch einmal.',
  'provider.refused': '{name} hat dich nicht hereingelassen.',
  'provider.unproved': 'Die Antwort von {name} ließ sich nicht prüfen.',
  'provider.away': '{name} antwortet gerade nicht. Versuch es später noch einmal.',
  'provider.noSuchWay': 'Diesen Weg zur Anmeldung gibt es hier nicht, oder er ist aus.',
  'provider.off': 'Dieser Weg zur Anmeldung ist aus.',
  'provider.nobody': 'Der Proxy hat niemanden genannt.',
  'provider.loggingOut': 'Abmeldung',
  'provider.noneOut': 'Hier wird niemand abgemeldet: Diesen Anbieter gibt es nicht.',
  'provider.notOut': '{name} hat dich nicht überall abgemeldet.',
  'provider.unprovedOut': 'Was {name} gesendet hat, ließ sich nicht prüfen.',
  'provider.out': 'Du bist hier abgemeldet',
  'provider.goesOn': '{name} meldet dich weiter ab.',
  'provider.back': 'Zurück zu {name}',
  'connections.lede': 'Damit kannst du dich statt mit deinem Passwort anmelden.',
  'connections.connected': 'Verbunden.',
  'connections.connect': 'Verbinden',
  'connections.connectOne': 'Verbinden: {name}',
  'connections.disconnect': 'Trennen',
  'connections.disconnectOne': 'Trennen: {name}',
  'connections.title': '{name} verbinden',
  'connections.go': 'Weiter zu {name}',
  'connections.there': 'Melde dich bei {name} mit dem Konto an, das du hier benutzen willst.',
  'connections.none': 'Hier gibt es nichts zu verbinden.',
} as const satisfies Translated<typeof english>;
