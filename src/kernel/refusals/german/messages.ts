/** Sending, changing and finding messages, with their topics, reactions and files. */
export const messages = {
  'Message must not be empty': 'Die Nachricht darf nicht leer sein',
  'Message must not contain null bytes': 'Die Nachricht enthält ein ungültiges Zeichen',
  'Message must have recipients': 'Die Nachricht braucht Empfänger',
  'Unable to render message': 'Die Nachricht ließ sich nicht darstellen',
  'Invalid message(s)': 'Diese Nachricht gibt es nicht, oder du darfst sie nicht lesen',
  "'{email}' is no longer using Roost.": '„{email}“ nutzt Roost nicht mehr.',
  'Missing topic': 'Das Thema fehlt',
  'Topic must not contain null bytes': 'Das Thema enthält ein ungültiges Zeichen',
  'Invalid character in topic, at position {position}!':
    'Das Thema enthält an Stelle {position} ein ungültiges Zeichen.',
  'Only the {name} topic is allowed in this channel.': 'In diesem Kanal sind alle Nachrichten ohne Thema.',
  'Sending messages to the {name} is not allowed in this channel.': 'In diesem Kanal braucht jede Nachricht ein Thema.',
  'General chat cannot be marked as resolved': 'Nachrichten ohne Thema lassen sich nicht als erledigt markieren',
  "Channel '{name}' does not exist": 'Den Kanal „{name}“ gibt es nicht',
  "Channel with ID '{id}' does not exist": 'Den Kanal mit der ID {id} gibt es nicht',
  "Not authorized to send to channel '{name}'": 'Du darfst im Kanal „{name}“ nicht schreiben',
  'You do not have permission to post in this channel.': 'Du darfst in diesem Kanal nicht schreiben.',
  'You do not have permission to create new topics in this channel.':
    'Du darfst in diesem Kanal keine neuen Themen beginnen.',
  'You do not have permission to access some of the recipients.': 'Einige der Empfänger sind für dich nicht sichtbar.',
  'You do not have permission to initiate direct message conversations.': 'Du darfst keine Direktnachrichten beginnen.',
  'This conversation does not include any users who can authorize it.':
    'An dieser Unterhaltung nimmt niemand teil, der sie erlauben darf.',
  'Direct messages are disabled in this organization.': 'In dieser Organisation gibt es keine Direktnachrichten.',
  'You do not have permission to use channel wildcard mentions in this channel.':
    'Du darfst in diesem Kanal nicht alle erwähnen.',
  'You do not have permission to use topic wildcard mentions in this topic.':
    'Du darfst in diesem Thema nicht alle erwähnen.',
  "You are not allowed to mention user group '{name}'.": 'Du darfst die Gruppe „{name}“ nicht erwähnen.',
  'Widgets: {why}': 'Das ist für diese Nachricht nicht möglich: {why}',
  'You cannot attach a submessage to this message.': 'Dafür fehlt dir bei dieser Nachricht die Berechtigung.',
  'Too much was added to this message.': 'Zu dieser Nachricht wurde schon zu viel hinzugefügt.',
  'Scheduled delivery time must be in the future.': 'Der Zeitpunkt muss in der Zukunft liegen.',
  'Scheduled message was already sent': 'Diese Nachricht wurde schon gesendet',
  'Scheduled message does not exist': 'Diese geplante Nachricht gibt es nicht',
  'Message could not be sent at the scheduled time.':
    'Die Nachricht konnte zum geplanten Zeitpunkt nicht gesendet werden.',
  'Reminder does not exist': 'Diese Erinnerung gibt es nicht',
  'Draft does not exist': 'Diesen Entwurf gibt es nicht',
  'User has disabled synchronizing drafts.': 'Entwürfe werden nach deinen Einstellungen nicht gespeichert.',
  'Saved snippet does not exist.': 'Diesen Textbaustein gibt es nicht.',
  'Your organization has turned off message editing': 'In dieser Organisation lassen sich Nachrichten nicht bearbeiten',
  "You don't have permission to edit this message": 'Du darfst diese Nachricht nicht bearbeiten',
  "You don't have permission to move this message": 'Du darfst diese Nachricht nicht verschieben',
  "You don't have permission to delete this message": 'Du darfst diese Nachricht nicht löschen',
  "You don't have permission to delete this topic": 'Du darfst dieses Thema nicht löschen',
  "You don't have permission to resolve topics in this channel.":
    'Du darfst in diesem Kanal keine Themen als erledigt markieren.',
  'The time limit for editing this message has passed': 'Die Zeit zum Bearbeiten dieser Nachricht ist abgelaufen',
  "The time limit for editing this message's channel has passed":
    'Die Zeit zum Verschieben dieser Nachricht ist abgelaufen',
  "The time limit for editing this message's topic has passed.":
    'Die Zeit zum Ändern des Themas dieser Nachricht ist abgelaufen.',
  'The time limit for moving this topic has passed.': 'Die Zeit zum Verschieben dieses Themas ist abgelaufen.',
  'The time limit for deleting this message has passed': 'Die Zeit zum Löschen dieser Nachricht ist abgelaufen',
  'You only have permission to move the {some}/{all} most recent messages in this topic.':
    'Du darfst von den {all} Nachrichten dieses Themas nur die neuesten {some} verschieben.',
  'Cannot change message content while changing channel':
    'Text und Kanal einer Nachricht lassen sich nicht zugleich ändern',
  'Direct messages cannot be moved to channels.': 'Direktnachrichten lassen sich nicht in Kanäle verschieben.',
  'Direct messages cannot have topics.': 'Direktnachrichten haben keine Themen.',
  'Nothing to change': 'Es gibt nichts zu ändern',
  'Others are moving this message at the moment. Try again.':
    'Andere verschieben diese Nachricht gerade. Versuche es noch einmal.',
  'These are too many messages for so many people. Move them in parts, the newest first.':
    'Das sind zu viele Nachrichten für so viele Personen. Verschiebe sie in Teilen, die neuesten zuerst.',
  'This message has been changed too often.': 'Diese Nachricht wurde zu oft geändert.',
  'Widgets cannot be edited.': 'Umfragen und Aufgabenlisten lassen sich nicht bearbeiten.',
  'Message already deleted': 'Die Nachricht ist schon gelöscht',
  'Message edit history is disabled in this organization':
    'In dieser Organisation ist nicht zu sehen, wie Nachrichten geändert wurden',
  'Read receipts are disabled in this organization.': 'In dieser Organisation gibt es keine Lesebestätigungen.',
  'Reaction already exists.': 'Diese Reaktion gibt es schon.',
  "Reaction doesn't exist.": 'Diese Reaktion gibt es nicht.',
  'A message can have at most {max} different reactions.':
    'Eine Nachricht kann höchstens {max} verschiedene Reaktionen haben.',
  "Emoji '{name}' does not exist": 'Das Emoji „{name}“ gibt es nicht',
  'This custom emoji has been deactivated.': 'Dieses eigene Emoji ist deaktiviert.',
  'An explanation is required.': 'Eine Erklärung ist nötig.',
  'Moderation request channel must be specified to enable message reporting.':
    'Nachrichten lassen sich erst melden, wenn die Organisation einen Kanal für Meldungen hat.',
  'Invalid narrow operator: {why}': 'Ungültiger Suchbegriff: {why}',
  'Invalid narrow operator combination: {why}': 'Diese Suchbegriffe lassen sich nicht verbinden: {why}',
  'Uploaded file is larger than the allowed limit of {max} MiB':
    'Die Datei ist größer als erlaubt (höchstens {max} MiB)',
  "File is larger than this server's configured maximum upload size ({max} MiB).":
    'Die Datei ist größer als auf diesem Server erlaubt (höchstens {max} MiB).',
  "Upload would exceed your organization's upload quota.": 'Der Speicherplatz der Organisation reicht dafür nicht.',
  'You may only upload one file at a time': 'Lade nur eine Datei auf einmal hoch',
  'Invalid attachment': 'Diese Datei gibt es nicht',
  'You can mute, unmute or follow at most {max} topics.':
    'Mehr als {max} Themen kannst du nicht folgen oder stummschalten.',
  'You can have at most {max} alert words.': 'Mehr als {max} Signalwörter sind nicht möglich.',
} as const;
