import type { Translated } from '#kernel/text';
import type { settings as english } from '../english/settings.ts';

export const settings = {
  'settings.find': 'Einstellung suchen',
  'settings.nothing': 'Keine Einstellung heißt so.',
  'settings.alsoPicture': 'Foto Profilbild Avatar',
  'settings.alsoTheme': 'dunkel hell Farben',
  'settings.add': 'Hinzufügen',
  'settings.fixedBy': 'Festgelegt durch: {name}',
  'settings.nobody': 'Niemand',
  'settings.smaller': 'Kleiner',
  'settings.larger': 'Größer',
  'settings.about': 'Worüber',
} as const satisfies Translated<typeof english>;
