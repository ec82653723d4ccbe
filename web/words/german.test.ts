import { describeTranslation } from '../../test/support/translation.ts';
import { english } from './english/index.ts';
import { deferredEnglish } from './english/deferred.ts';
import { german } from './german/german.ts';
import { germanOfSettings } from './german/german-settings.ts';

/** Texts that are the same in both languages. */
const SAME = [
  'Administrator',
  'Bot',
  'Bots',
  'Code',
  'Domain',
  'Emoji',
  'Emoji: {name}',
  'Filter',
  'Link',
  'Moderator',
  'Name',
  'Navigation',
  'Offline',
  'Passkey',
  'Passkeys',
  'Spam',
  'Spoiler',
  'Status',
  'Token',
  'Version',
  '{emoji}: ',
  '{percent} %',
  '{what}?',
  '17:00',
  '5:00 PM',
  // What is typed in a search.
  'channel:',
  'dm:',
  'has:link',
  'is:starred',
  'sender:',
  'topic:',
];

describeTranslation('the German texts', { ...english, ...deferredEnglish }, { ...german, ...germanOfSettings }, SAME);
