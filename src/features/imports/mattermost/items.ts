import { lookUp } from '#kernel/lists';
import { Entry, ImportRefused } from '../entry.ts';
import { linesOf, parsedLine, textsIn } from '../neutral/index.ts';
import type { Report } from '../report.ts';
import type { ArchiveFiles } from '../source.ts';

/** The version of the format, in the first line. */
const VERSION = 1;

/** The fields of each kind of line that are looked at, or that need not be. */
const KNOWN: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    team: 'name display_name type description allow_open_invite scheme',
    channel: 'team name display_name type header purpose scheme deleted_at',
    user:
      'username email auth_service auth_data password nickname first_name last_name position roles locale delete_at teams ' +
      'profile_image theme notify_props custom_status use_military_time use_markdown_preview collapse_previews ' +
      'message_display channel_display_mode tutorial_step email_interval show_unread_section name_format ' +
      'collapse_consecutive color_names code_block_ctrl_enter send_on_ctrl_enter limit_visible_dms_gms ' +
      'show_channel_autocomplete show_join_leave_messages show_unread_scroll_position sync_drafts team_order',
    bot: 'username display_name owner description delete_at profile_image',
    post:
      'team channel user type message props create_at edit_at delete_at flagged_by replies reactions attachments ' +
      'is_pinned thread_followers',
    direct_channel: 'members participants favorited_by header shown_by',
    direct_post:
      'channel_members user type message props create_at edit_at delete_at flagged_by replies reactions attachments ' +
      'is_pinned thread_followers',
    emoji: 'name image',
  }).map(([type, fields]) => [type, fields.split(' ')]),
);

/** Kinds of lines that bring nothing to import. */
const LEFT_OUT = ['scheme', 'role', 'thread'];

/** A line of the archive: one item. */
export interface Item {
  readonly type: string;
  readonly entry: Entry;
  readonly place: string;
  readonly report: Report;
  /** A list of texts under the first of these names that there is. */
  readonly texts: (...names: readonly string[]) => readonly string[];
}

/** The file of lines in an archive. */
export interface LineFile {
  readonly files: ArchiveFiles;
  readonly path: string;
  readonly report: Report;
}

/** The things of an archive; `withoutPosts` leaves out messages of channels, which most lines are. */
export async function* itemsOf({ files, path, report }: LineFile, withoutPosts: boolean): AsyncGenerator<Item> {
  let hasVersion = false;
  for await (const line of linesOf(files, path)) {
    if (line.bytes.length === 0) continue;
    if (hasVersion && withoutPosts && /^\{\s*"type"\s*:\s*"post"/.test(line.bytes.toString('latin1', 0, 40))) continue;
    const place = `${path}, line ${line.number}`;
    const whole = new Entry(place, parsedLine(path, line));
    const type = whole.text('type');
    if (!hasVersion) {
      if (type !== 'version') throw new ImportRefused(`${place}: the first line is not the version of the format`);
      if (whole.int('version', 0) !== VERSION)
        throw whole.fault('version', `is not ${VERSION}, the only one known here`);
      hasVersion = true;
      continue;
    }
    const known = lookUp(KNOWN, type);
    if (known) {
      const item = toItem(whole, { type, place, report });
      if (withoutPosts) nameUnknown(item, known);
      yield item;
    } else if (withoutPosts && !LEFT_OUT.includes(type))
      report.remark('lines left out', `${place}: "${type}" is not known`);
  }
  if (!hasVersion) throw new ImportRefused(`${path} is empty`);
}

function nameUnknown({ type, entry, place, report }: Item, known: readonly string[]): void {
  for (const name of entry.names)
    if (!known.includes(name)) report.remark('fields left out', `${place}: ${type}.${name}`);
}

function toItem(whole: Entry, line: Pick<Item, 'type' | 'place' | 'report'>): Item {
  const entry = new Entry(`${line.place}, ${line.type}`, whole.raw(line.type));
  const texts = (...names: readonly string[]) => {
    const name = names.find((one) => entry.list(one).length > 0);
    if (name === undefined) return [];
    // In newer exports a member is an object.
    if (entry.list(name).every((one) => typeof one === 'object'))
      return entry.parts(name).map((part) => part.text('username'));
    return textsIn(entry, name);
  };
  return { ...line, entry, texts };
}

/** Names a direct conversation by who is in it. */
export function conversationKey(members: readonly string[]): string {
  return [...new Set(members)].toSorted().join(',');
}
