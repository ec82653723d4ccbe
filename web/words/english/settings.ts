export const settings = {
  'settings.find': 'Find a setting',
  'settings.add': 'Add',
  'settings.fixedBy': 'Set by {name}',
  'settings.nobody': 'Nobody',
  'settings.smaller': 'Smaller',
  'settings.larger': 'Larger',
  'settings.about': 'About',
} as const;
