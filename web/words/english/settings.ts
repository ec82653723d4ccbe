export const settings = {
  'settings.find': 'Find a setting',
  'settings.nothing': 'No setting has that name.',
  'settings.alsoPicture': 'photo avatar',
  'settings.alsoTheme': 'dark light colours',
  'settings.add': 'Add',
  'settings.fixedBy': 'Set by {name}',
  'settings.nobody': 'Nobody',
  'settings.smaller': 'Smaller',
  'settings.larger': 'Larger',
  'settings.about': 'About',
} as const;
