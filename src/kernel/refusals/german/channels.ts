/** Channels, their folders and rules, and groups. */
export const channels = {
  'Invalid channel ID': 'Diesen Kanal gibt es nicht, oder du darfst ihn nicht sehen',
  "Invalid channel name '{name}'": 'Den Kanal „{name}“ gibt es nicht, oder du darfst ihn nicht sehen',
  'Channel(s) ({names}) do not exist': 'Diese Kanäle gibt es nicht: {names}',
  'Unable to access channel ({names}).': 'Diese Kanäle darfst du nicht abonnieren: {names}.',
  'Not subscribed to channel ID {id}': 'Diesen Kanal hast du nicht abonniert',
  "Channel '{name}' already exists": 'Einen Kanal mit dem Namen „{name}“ gibt es schon',
  'Channel already has that name.': 'Der Kanal heißt schon so.',
  "Channel name can't be empty.": 'Der Name des Kanals darf nicht leer sein.',
  'Channel name too long (limit: {max} characters).': 'Der Name des Kanals ist zu lang (höchstens {max} Zeichen).',
  'Invalid character in channel name, at position {position}.':
    'Der Name des Kanals enthält an Stelle {position} ein ungültiges Zeichen.',
  'Channel content access is required.': 'Dafür musst du die Nachrichten des Kanals lesen dürfen.',
  'Subscriber data is not available for this channel': 'Wer diesen Kanal abonniert hat, darfst du nicht sehen',
  'You do not have permission to administer this channel.': 'Du darfst diesen Kanal nicht verwalten.',
  'You do not have permission to change default channels.': 'Du darfst die Standardkanäle nicht ändern.',
  'You do not have permission to subscribe other users to channels.': 'Du darfst andere nicht zu Kanälen hinzufügen.',
  'A default channel cannot be private.': 'Ein Standardkanal kann nicht privat sein.',
  'Private channels cannot be made default.': 'Private Kanäle können keine Standardkanäle sein.',
  'Moderation request channel must be private.': 'Der Kanal für Meldungen muss privat sein.',
  'Web-public channels are not enabled.': 'Web-öffentliche Kanäle sind nicht eingeschaltet.',
  'Channel is already deactivated': 'Der Kanal ist schon archiviert',
  'Channel is not currently deactivated': 'Der Kanal ist nicht archiviert',
  'Channel is private and have no subscribers': 'Der Kanal ist privat, und niemand hat ihn abonniert',
  'To enable this configuration, all messages in this channel must be in the {name} topic. Consider renaming or deleting other topics.':
    'Dafür dürfen alle Nachrichten dieses Kanals kein Thema haben. Benenne andere Themen um, oder lösche sie.',
  'There can be at most {max} channels, and people who are no administrators can create {daily} a day.':
    'Es kann höchstens {max} Kanäle geben. Wer kein Administrator ist, kann {daily} am Tag erstellen.',
  'Invalid channel folder ID': 'Diesen Ordner gibt es nicht',
  "Channel folder name can't be empty.": 'Der Name des Ordners darf nicht leer sein.',
  'Channel folder name already in use': 'Einen Ordner mit diesem Namen gibt es schon',
  'Invalid character in channel folder name, at position {position}.':
    'Der Name des Ordners enthält an Stelle {position} ein ungültiges Zeichen.',
  'You need to remove all the channels from this folder to archive it.':
    'Nimm zuerst alle Kanäle aus diesem Ordner heraus.',
  'A channel can have at most {max} rules.': 'Ein Kanal kann höchstens {max} Regeln haben.',
  'A rule has either words or a pattern.': 'Eine Regel hat entweder Wörter oder ein Muster.',
  'Rule does not exist.': 'Diese Regel gibt es nicht.',
  'Not an outgoing webhook bot': 'Das ist kein Bot mit ausgehendem Webhook',
  'Invalid user group': 'Diese Gruppe gibt es nicht',
  'Invalid user group ID: {id}': 'Die Gruppe mit der ID {id} gibt es nicht',
  'User group is deactivated.': 'Die Gruppe ist deaktiviert.',
  "This group uses the deactivated user group '{name}'. Reactivate that one first.":
    'Diese Gruppe benutzt die Gruppe „{name}“, die deaktiviert ist. Aktiviere zuerst jene.',
  "User group '{name}' already exists.": 'Eine Gruppe mit dem Namen „{name}“ gibt es schon.',
  "User group name can't be empty!": 'Der Name der Gruppe darf nicht leer sein.',
  'User group name cannot exceed {max} characters.': 'Der Name der Gruppe ist zu lang (höchstens {max} Zeichen).',
  "User group name cannot start with '{prefix}'.": 'Der Name der Gruppe darf nicht mit „{prefix}“ beginnen.',
  'You can only change name of deactivated user groups':
    'Bei einer deaktivierten Gruppe lässt sich nur der Name ändern',
  'Cannot deactivate user group in use.': 'Diese Gruppe wird noch benutzt.',
  'User {id} is already a member of this group': 'Diese Person ist schon Mitglied der Gruppe',
  "There is no member '{id}' in this user group": 'Diese Person ist nicht Mitglied der Gruppe',
  'User group {id} is already a subgroup of this group.': 'Diese Gruppe gehört schon dazu.',
  'User group {id} is already a subgroup of one of the passed subgroups.': 'Diese Gruppe gehört schon dazu.',
  'User group {id} is not a subgroup of this group.': 'Diese Gruppe gehört nicht dazu.',
  "'{setting}' setting cannot be set to '{group}' group.":
    'Die Gruppe „{group}“ lässt sich für diese Berechtigung nicht wählen.',
  "'{setting}' must be a system user group.": 'Für diese Berechtigung lässt sich nur eine Rolle wählen.',
  'There can be at most {max} groups, and people who are no administrators can create {daily} a day.':
    'Es kann höchstens {max} Gruppen geben. Wer kein Administrator ist, kann {daily} am Tag erstellen.',
  'Groups can have at most {max} members and subgroups in all.':
    'Alle Gruppen zusammen können höchstens {max} Mitglieder und Untergruppen haben.',
  'Only administrators can add to groups that have {max} members and subgroups in all.':
    'Wenn alle Gruppen zusammen {max} Mitglieder und Untergruppen haben, können nur Administratoren weitere hinzufügen.',
} as const;
