import { foldCase } from '#kernel/text';
import { t } from '../../words/deferred.ts';
import { ORGANIZATION_PERMISSIONS } from './permissions.ts';
import {
  MESSAGE_FLAGS,
  MESSAGE_LIMITS,
  NOTIFICATION_FLAGS,
  NOTIFYING,
  PERMISSION_SECTIONS,
  PRIVACY_FLAGS,
} from './setting-names.ts';

const THEMES = ['me.theme', 'me.contrast'] as const;
const READING = ['me.time', 'me.home', 'me.enter', 'me.emoticons'] as const;
const NOTIFYING_WHEN = ['me.when', ...NOTIFYING.map((name) => `me.told.${name}` as const)] as const;
const MORE_NOTIFYING = [
  'me.more',
  ...NOTIFICATION_FLAGS.map((name) => `me.flag.${name}` as const),
  'me.quiet',
] as const;

/**
 * Keys of the labels of the sections and settings on each page, in the order of the page; a test in a browser compares
 * them with the pages.
 */
const BY_PAGE = {
  '#settings/profile': ['me.picture', 'me.name', 'me.role', 'me.fields', 'me.status', 'me.statusText'],
  '#settings/notifications': [...NOTIFYING_WHEN, 'push.title', 'push.label', ...MORE_NOTIFYING],
  '#settings/preferences': [...THEMES, 'me.density', 'me.reading', 'me.language', ...READING],
  '#settings/account-and-privacy': [
    ...(['me.login', 'me.email', 'me.password', 'me.key', 'me.secondFactor', 'me.passkeys', 'me.sessions'] as const),
    'deviceKeys.title',
    'me.privacy',
    ...PRIVACY_FLAGS.map((name) => `me.${name}` as const),
    ...(['me.send_read_receipts', 'me.visibility', 'me.data', 'me.dataLabel', 'me.allow_private_data_export'] as const),
  ],
  '#settings/alert-words': ['me.words', 'me.mutedPeople', 'me.mutedTopics'],
  '#organization/organization-profile': [
    ...(['org.name', 'org.description', 'org.announcements', 'org.language', 'org.address'] as const),
    ...(['org.firstSteps', 'org.pictures', 'org.audit', 'org.auditLabel', 'org.auditKept', 'closing.title'] as const),
  ],
  '#organization/invites': ['invite.link', 'invite.mail', 'invite.open'],
  '#organization/organization-settings': [
    'rules.editing',
    'rules.allow_message_editing',
    ...MESSAGE_LIMITS.map((name) => `rules.${name}` as const),
    ...(['rules.history', 'rules.talking', 'channels.topics'] as const),
    ...MESSAGE_FLAGS.map((name) => `rules.${name}` as const),
  ],
  '#organization/organization-permissions': PERMISSION_SECTIONS.flatMap((section) => [
    `org.perms.${section}` as const,
    ...ORGANIZATION_PERMISSIONS[section].map((name) => `perm.${name}` as const),
  ]),
  '#organization/organization-level-user-defaults': [
    ...THEMES,
    'me.reading',
    ...READING,
    ...NOTIFYING_WHEN,
    ...MORE_NOTIFYING,
  ],
  '#organization/domains': ['domains.restricted'],
  '#organization/auth-methods': [
    ...(['login.ways', 'login.order', 'login.passwords', 'login.length', 'login.guesses'] as const),
    ...(['login.second', 'login.demand', 'login.grace', 'scim.title'] as const),
  ],
} as const;
type Key = (typeof BY_PAGE)[keyof typeof BY_PAGE][number];
const CONTENTS: Readonly<Record<string, readonly Key[]>> = BY_PAGE;

/** What only owners see. */
const OF_OWNERS: ReadonlySet<Key> = new Set([
  'org.firstSteps',
  'org.audit',
  'org.auditLabel',
  'org.auditKept',
  'closing.title',
  'login.order',
  'scim.title',
]);

/** Other words by which a setting is looked for. */
const ALSO: { readonly [key in Key]?: 'settings.alsoPicture' | 'settings.alsoTheme' } = {
  'me.picture': 'settings.alsoPicture',
  'me.theme': 'settings.alsoTheme',
};

/** A section or a setting of a page. */
export interface Setting {
  readonly label: string;
  readonly href: string;
  /** Its label, and other words by which it is looked for, case-folded. */
  readonly folded: string;
}

/** Returns the sections and settings of a page, in its order. */
export function settingsOf(page: string, isOwner: boolean): readonly Setting[] {
  const keys = CONTENTS[page]?.filter((key) => isOwner || !OF_OWNERS.has(key)) ?? [];
  return keys.map((key) => {
    const [label, also] = [t(key), ALSO[key]];
    const words = also === undefined ? label : `${label} ${t(also)}`;
    return { label, href: `${page}/${nameOf(key)}`, folded: foldCase(words) };
  });
}

/** A setting's name in its address: the last part of its key. */
const nameOf = (key: Key) => key.slice(key.lastIndexOf('.') + 1);

interface Place {
  readonly section: string;
  /** Label of the setting that the address names. */
  readonly sought?: string | undefined;
}

/** Splits what an address has after its view, such as `notifications/quiet`, into the page and the setting on it. */
export function placeIn(view: 'settings' | 'organization', address: string): Place {
  const [section = '', name] = address.split('/');
  const keys = CONTENTS[`#${view}/${section}`];
  if (!keys) return { section: address };
  const key = keys.find((one) => nameOf(one) === name);
  return { section, sought: key && t(key) };
}
