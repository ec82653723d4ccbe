import { listed, type NoticeWords } from './texts.ts';

export const german: NoticeWords = {
  somebody: 'Jemand',
  noDescription: '*Keine Beschreibung.*',
  kinds: {
    webPublic: 'Web-öffentlich',
    public: 'Öffentlich',
    shared: 'Privat, gemeinsamer Verlauf',
    protected: 'Privat, geschützter Verlauf',
  },
  policies: {
    inherit: 'wie in der Organisation',
    allow_empty_topic: 'Nachrichten ohne Thema sind erlaubt',
    disable_empty_topic: 'Nachrichten ohne Thema sind nicht erlaubt',
    empty_topic_only: 'alle Nachrichten sind ohne Thema',
  },
  period: (days) => (days === -1 ? 'für immer' : `${days} ${days === 1 ? 'Tag' : 'Tage'}`),
  usual: (period) => `wie in der Organisation (${period})`,
  created: (by, kind, description) =>
    `${by} hat diesen Kanal angelegt. **Zugang:** ${kind}. **Beschreibung:**\n${description}`,
  announced: (by, channels) =>
    `${by} hat ${channels.length === 1 ? 'einen neuen Kanal' : 'neue Kanäle'} angelegt: ${channels.join(', ')}.`,
  subscribed: (by, channels) =>
    channels.length === 1
      ? `${by} hat ${channels.join('')} für dich abonniert.`
      : `${by} hat diese Kanäle für dich abonniert:\n${listed(channels)}`,
  topics: (by, before, after) =>
    `${by} hat die Regel für Themen in diesem Kanal von *${before}* auf *${after}* geändert.`,
  access: (by, before, after) => `${by} hat den Zugang zu diesem Kanal von **${before}** auf **${after}** geändert.`,
  retention: (by, before, after, days) => {
    const then =
      days === -1 ? 'für immer aufbewahrt' : `${days} ${days === 1 ? 'Tag' : 'Tage'} nach dem Senden gelöscht`;
    return `${by} hat die Aufbewahrung in diesem Kanal von **${before}** auf **${after}** geändert. Nachrichten in diesem Kanal werden ${then}.`;
  },
  description: (by, before, after) =>
    `${by} hat die Beschreibung dieses Kanals geändert.\n\n**Alte Beschreibung:**\n${before}\n\n**Neue Beschreibung:**\n${after}`,
  renamed: (by, before, after) => `${by} hat den Kanal **${before}** in **${after}** umbenannt.`,
  posting: (by, before, after) =>
    `${by} hat geändert, wer in diesem Kanal schreiben darf.\n\n${listed([`**Alt:** ${before}`, `**Neu:** ${after}`])}`,
  archived: (channel) => `Der Kanal ${channel} ist jetzt archiviert.`,
  unarchived: (channel) => `Der Kanal ${channel} ist nicht mehr archiviert.`,
  added: (by, group) => `${by} hat dich zur Gruppe ${group} hinzugefügt.`,
  removed: (by, group) => `${by} hat dich aus der Gruppe ${group} entfernt.`,
};
