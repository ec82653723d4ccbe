/** The organization: its pictures, emoji, profile fields, linkifiers, domains and exports. */
export const organization = {
  'At least one authentication method must be enabled.': 'Mindestens eine Anmeldemethode muss eingeschaltet sein.',
  'Invalid image format': 'Dieses Bildformat ist nicht möglich',
  'Could not decode image; did you upload an image file?': 'Das ist keine lesbare Bilddatei.',
  'Image is corrupted or truncated': 'Das Bild ist beschädigt oder unvollständig',
  'Image size exceeds limit.': 'Das Bild ist zu groß.',
  'You must upload exactly one {what}.': 'Wähle genau eine Datei aus.',
  'Emoji name is missing': 'Der Name des Emojis fehlt',
  'A custom emoji with this name already exists.': 'Ein eigenes Emoji mit diesem Namen gibt es schon.',
  'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.':
    'Der Name eines Emojis kann nur kleine Buchstaben ohne Umlaute, Ziffern, Leerzeichen, Bindestriche und Unterstriche enthalten.',
  'Emoji names must end with either a letter or digit.':
    'Der Name eines Emojis muss mit einem Buchstaben oder einer Ziffer enden.',
  'Only administrators can override default emoji.': 'Nur Administratoren können ein Emoji des Servers ersetzen.',
  'Must be an organization administrator or emoji author':
    'Das dürfen nur Administratoren und die Person, die das Emoji hinzugefügt hat',
  'Label cannot be blank.': 'Der Name darf nicht leer sein.',
  'A field with that label already exists.': 'Ein Feld mit diesem Namen gibt es schon.',
  'Field id {id} not found.': 'Dieses Feld gibt es nicht.',
  'Field must have at least one choice.': 'Das Feld braucht mindestens eine Auswahlmöglichkeit.',
  'Field must not have duplicate choices.': 'Die Auswahlmöglichkeiten müssen sich unterscheiden.',
  'Field type not supported for display in profile summary.':
    'Felder dieser Art lassen sich nicht in der Übersicht zeigen.',
  'Only {max} custom profile fields can be displayed in the profile summary.':
    'In der Übersicht lassen sich nur {max} Felder zeigen.',
  'Default custom field cannot be updated.': 'Dieses Feld lässt sich nicht ändern.',
  'Custom external account must define URL pattern': 'Gib das Muster der Adresse an',
  "URL pattern must contain '%(username)s'.": 'Das Muster der Adresse muss „%(username)s“ enthalten.',
  "'{value}' is not a valid choice for '{field}'.": '„{value}“ lässt sich für „{field}“ nicht wählen.',
  'You are not allowed to change this field. Contact an administrator to update it.':
    'Du darfst dieses Feld nicht ändern. Bitte einen Administrator darum.',
  'This field cannot be blank.': 'Dieses Feld darf nicht leer sein.',
  'Invalid URL template.': 'Die Vorlage der Adresse ist ungültig.',
  'Bad regular expression: {why}': 'Ungültiger regulärer Ausdruck: {why}',
  'Realm filter with this Realm and Pattern already exists.': 'Ein Linkmuster mit diesem Ausdruck gibt es schon.',
  'Example text is required when auto-conversion field is set.': 'Ein Beispieltext ist nötig.',
  'Linkifier not found.': 'Dieses Linkmuster gibt es nicht.',
  'Realm playground with this Realm, Pygments language and Name already exists.':
    'Eine Code-Umgebung mit dieser Sprache und diesem Namen gibt es schon.',
  'Missing the required variable "code" in the URL template': 'In der Vorlage der Adresse fehlt „code“',
  '"code" should be the only variable present in the URL template':
    'In der Vorlage der Adresse darf nur „code“ vorkommen',
  'Invalid characters in pygments language': 'Der Name der Sprache enthält ungültige Zeichen',
  'Invalid playground': 'Diese Code-Umgebung gibt es nicht',
  'Invalid order mapping.': 'Die Reihenfolge passt nicht mehr. Lade die Seite neu.',
  'The ordered list must enumerate all existing linkifiers exactly once':
    'Die Reihenfolge passt nicht mehr. Lade die Seite neu',
  'Invalid domain: {why}': 'Ungültige Domain: {why}',
  "Domain can't be empty.": 'Sie darf nicht leer sein.',
  'Domain is too long.': 'Sie ist zu lang.',
  'Domain must have at least one dot (.)': 'Sie muss einen Punkt enthalten.',
  'Domain cannot start or end with a dot (.)': 'Sie darf nicht mit einem Punkt beginnen oder enden.',
  "Consecutive '.' are not allowed.": 'Zwei Punkte dürfen nicht aufeinander folgen.',
  "Subdomains cannot start or end with a '-'.": 'Kein Teil darf mit einem Bindestrich beginnen oder enden.',
  "Domain can only have letters, numbers, '.' and '-'s.":
    'Sie darf nur Buchstaben, Ziffern, Punkte und Bindestriche enthalten.',
  'The domain {domain} is already a part of your organization.': 'Die Domain {domain} gehört schon zur Organisation.',
  'No entry found for domain {domain}.': 'Die Domain {domain} gehört nicht zur Organisation.',
  'Private data can be exported only of people who consent.':
    'Private Daten lassen sich nur von Personen exportieren, die zustimmen.',
  'Please request a manual export from {mail}.':
    'Die Organisation ist dafür zu groß. Bitte den Serverbetreiber um den Export: {mail}.',
  'Invalid data export ID': 'Diesen Export gibt es nicht',
  'Export already deleted': 'Der Export ist schon gelöscht',
  'Export failed, nothing to delete': 'Der Export ist fehlgeschlagen, es gibt nichts zu löschen',
  'Export still in progress': 'Der Export läuft noch',
  'Data deletion time must be at least {days} days in the future.':
    'Bis zum Löschen der Daten müssen mindestens {days} Tage vergehen.',
} as const;
