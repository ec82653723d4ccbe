import type { Translated } from '#kernel/text';
import type { refusals as english } from '../english/refusals.ts';

/** What the server says when it refuses something that pages send. */
export const refusals = {
  'refusal.credentials': 'Benutzername oder Passwort stimmt nicht',
  'refusal.passwordOff': 'In dieser Organisation meldet man sich nicht mit einem Passwort an',
  'refusal.directoryAway': 'Das Verzeichnis deiner Organisation antwortet gerade nicht. Versuch es später noch einmal.',
  'refusal.accountOver': 'Das Konto ist deaktiviert',
  'refusal.organizationOver': 'Diese Organisation wurde deaktiviert',
  'refusal.email': 'Gib eine gültige E-Mail-Adresse ein.',
  'refusal.short': 'Das Passwort braucht mindestens {min} Zeichen.',
  'refusal.long': 'Das Passwort hat mehr als {max} Zeichen.',
  'refusal.weak': 'Das Passwort ist zu schwach.',
  'refusal.nameLong': 'Der Name ist zu lang.',
  'refusal.nameShort': 'Der Name ist zu kurz.',
  'refusal.nameCharacters': 'Der Name enthält Zeichen, die nicht gehen.',
  'refusal.nameFormat': 'Diese Form geht für Namen nicht.',
  'refusal.nameTaken': 'In dieser Organisation darf es jeden Namen nur einmal geben.',
  'refusal.address': 'Die Adresse ist ungültig.',
  'refusal.domain': 'Die Adresse gehört zu keiner erlaubten Domain.',
  'refusal.plus': 'E-Mail-Adressen mit + sind hier nicht erlaubt.',
  'refusal.disposable': 'Nimm bitte deine richtige E-Mail-Adresse.',
  'refusal.tooMany': 'Zu viele Anfragen. Warte eine Weile.',
  'refusal.code': 'Dieser Code ist falsch oder wurde schon benutzt.',
  'refusal.clock': 'Dieser Code ist falsch. Geht die Uhr deines Handys richtig?',
  'refusal.password': 'Dein Passwort ist falsch.',
  'refusal.proof': 'Das stimmt nicht.',
  'refusal.lockOut':
    'Dann könnte sich kein Inhaber mehr anmelden. Verbinde zuerst das Konto eines Inhabers mit einem anderen Weg.',
  'refusal.passkeyOff': 'Die Anmeldung mit einem Passkey ist hier aus.',
  'refusal.ownAddress': 'Gib deine E-Mail-Adresse ein.',
  'refusal.organizationName': 'Die Organisation braucht einen Namen.',
  'refusal.organizationLines': 'Der Name der Organisation hat nur eine Zeile.',
  'refusal.organizationLong': 'Der Name der Organisation hat mehr als {max} Zeichen.',
} as const satisfies Translated<typeof english>;
