export const settings = {
  'settings.find': 'Find a setting',
  'settings.add': 'Add',
  'settings.fixedBy': 'Set by {name}',
  'settings.backTo': 'Back to {value}',
  'settings.nobody': 'Nobody',
  'settings.smaller': 'Smaller',
  'settings.larger': 'Larger',
  'settings.about': 'About',
} as const;
