// Names that clients in the field send and expect, whatever the package says; the first is the one that is shown.
export const ownNames = {
  '1f44d': ['+1', 'thumbs_up', 'like'],
  '1f44e': ['-1', 'thumbs_down'],
  '1f642': ['smile'],
  '1f641': ['frown'],
  '1f610': ['neutral'],
  '1f615': ['confused'],
  '1f609': ['wink'],
  '1f600': ['grinning'],
  '1f62e': ['open_mouth'],
  '1f61b': ['stuck_out_tongue'],
  '263a': ['smiling_face'],
  2764: ['heart'],
};
