import type { Translated } from '#kernel/text';
import type { integrations as english } from '../english/integrations.ts';

/** Texts of the pages about integrations. */
export const integrations = {
  'integrations.title': 'Integrationen',
  'integrations.lede': 'Dienste, deren Webhooks hier zu Nachrichten werden.',
  'integrations.none': 'Diese Integration gibt es nicht',
  'integrations.bot':
    'Leg in den Einstellungen einen Bot der Art „eingehender Webhook“ an. Sein Schlüssel und der Kanal sind Teil der Adresse.',
  'integrations.follows': 'Nach: {link}',
  'integrations.options': 'Optionen der Adresse',
  'integrations.events': 'Ereignisse',
  'integrations.said': 'Was gesagt wird',
  'integrations.all': 'Alle Integrationen',
  'integrations.code': 'Code',
  'integrations.builds': 'Builds und Deployments',
  'integrations.monitoring': 'Überwachung',
  'integrations.projects': 'Projekte',
  'integrations.customers': 'Kundschaft',
  'integrations.money': 'Geld',
  'integrations.communication': 'Kommunikation',
  'integrations.other': 'Anderes',
} as const satisfies Translated<typeof english>;
