import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import {
  alertWords,
  compileLinkifiers,
  loadContentHtmlDiff,
  type MarkdownWorld,
  normalizeBody,
  renderMarkdown,
  topicLinks,
} from './index.ts';
import { makeWorld } from './testing.ts';

interface Case {
  readonly name: string;
  readonly input: string;
  readonly expected_output: string;
  readonly context?: Record<string, any>;
}

/** Cases whose output differs, each explained in docs/markdown.md. */
const different: ReadonlySet<string> = new Set([]);

const cases: readonly Case[] = JSON.parse(readFileSync(new URL('reference-cases.data.json', import.meta.url), 'utf8'));

describe('the reference cases of Markdown', () => {
  it('are all there', () => {
    expect(cases).toHaveLength(250);
  });

  it.each(cases.filter(({ name }) => !different.has(name)).map((one) => [one.name, one] as const))(
    '%s',
    async (_, one) => {
      const context = one.context ?? {};
      const accepted = [one.expected_output, ...(context['also_accept'] ?? [])].map((html) =>
        comparable(html, context),
      );
      const { output, facts } = await run(one, context);
      expect(accepted).toContain(comparable(output, context));
      const expected = context['expect'] ?? {};
      expect(Object.fromEntries(Object.keys(expected).map((key) => [key, facts[key]]))).toEqual(expected);
    },
  );
});

async function run(
  one: Case,
  context: Record<string, any>,
): Promise<{ output: string; facts: Record<string, unknown> }> {
  if (context['kind'] === 'html_diff') {
    const contentHtmlDiff = await loadContentHtmlDiff();
    return { output: contentHtmlDiff(context['old'], one.input), facts: {} };
  }
  if (context['kind'] === 'normalize_body')
    return { output: normalizeBody(one.input, context['max_message_length']), facts: {} };
  const world = worldOf(context);
  if (context['kind'] === 'topic_links') {
    const links = topicLinks(one.input, world.realm?.linkifiers ?? compileLinkifiers([]));
    return { output: JSON.stringify(links), facts: {} };
  }
  const rendering = await renderMarkdown(one.input, world);
  const facts = {
    mentions_user_ids: sorted(rendering.mentionedUserIds),
    mentions_user_group_ids: sorted(rendering.mentionedGroupIds),
    mentions_stream_wildcard: rendering.mentionsChannel,
    mentions_topic_wildcard: rendering.mentionsTopic,
    user_ids_with_alert_words: sorted(rendering.alertedUserIds),
    links_for_preview: [...rendering.previewLinks].sort(),
    potential_attachment_path_ids: [...rendering.attachmentPathIds].sort(),
    thumbnail_spinners: [...rendering.pendingThumbnails].sort(),
    has_link: rendering.hasLink,
    has_image: rendering.hasImage,
    is_me_message: rendering.isMeMessage,
    widget: rendering.widget?.widget_type,
  };
  return { output: rendering.html, facts };
}

function sorted(ids: Iterable<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}

function comparable(html: string, { kind, compare }: Record<string, any>): string {
  if (kind === 'topic_links') return JSON.stringify(JSON.parse(html));
  if (compare === 'strip-code-spans') return html.replace(/<span class="[^"]*">|(?<!<span>)<\/span>/g, '');
  if (compare === 'katex-source')
    return html.replace(/<span class="katex">.*?<annotation[^>]*>(.*?)<\/annotation>.*(?:<\/span>)+/gs, '$1');
  if (compare === 'diff-loose') return html.replace(/\s+/g, ' ').replace(/ ?(<[^>]+>) ?/g, '$1');
  return html;
}

const people = [
  [101, 'Olive Owner'],
  [104, 'Max Member'],
  [105, 'Mia Member'],
  [107, 'Dora Deactivated'],
  [108, 'Demo Bot'],
  [110, 'Sam Twin'],
  [111, 'Sam Twin'],
  [112, "Zoë O'Neil & Co"],
] as const;

const uploads = [
  ['2/ab/Xy12zT/sunset.png', 'image/png', 1200, 800, '840x560.webp', null],
  ['2/cd/Pq34uV/queue.jpg', 'image/jpeg', 640, 480, null, null],
  ['2/ef/Gi56wX/dance.gif', 'image/gif', 300, 200, '840x560-anim.webp', null],
  ['2/gh/He78yZ/beach.heic', 'image/heic', 4032, 3024, '840x560.webp', '4032x3024.webp'],
  ['2/ij/Au90aB/memo.mp3', 'audio/mpeg', null, null, null, null],
  ['2/kl/Vi11cD/clip.mp4', 'video/mp4', null, null, null, null],
  ['2/mn/Fi22eF/report.pdf', 'application/pdf', null, null, null, null],
] as const;

/** The world of the cases, with what one case overrides. */
function worldOf(context: Record<string, any>): MarkdownWorld {
  const watched: [string, string[]][] = Object.entries(context['alert_words'] ?? {});
  const proxy = context['camo_uri'] ? { base: context['camo_uri'], key: context['camo_key'] } : null;
  const emoji = (id: number) => ({ source_url: `/user_avatars/2/emoji/images/${id}.png` });
  return makeWorld(
    {
      users: people.map(([id, full_name]) => ({ user_id: asId(id), full_name, is_active: id !== 107 })),
      groups: [
        { id: asId(21), name: 'support', is_system_group: false, deactivated: false },
        { id: asId(22), name: 'night shift', is_system_group: false, deactivated: false },
        { id: asId(23), name: 'old crew', is_system_group: false, deactivated: true },
        { id: asId(5), name: 'role:administrators', is_system_group: true, deactivated: false },
      ],
      channels: (
        [
          [9, 'general'],
          [10, 'design'],
          [12, 'dev help'],
          [13, 'café & bar (old)'],
          [14, '日本語'],
          [15, 'v1.0 release'],
        ] as const
      ).map(([id, name]) => ({ stream_id: asId(id), name })),
      topics: (
        [
          [9, 'lunch plans', 5001],
          [9, '', 5002],
          [12, 'Q&A: why?', 5003],
        ] as const
      ).map(([id, topic, latest]) => ({
        stream_id: asId(id),
        topic,
        latest_message_id: asId(latest),
      })),
      uploads: uploads.map(([path_id, content_type, width, height, thumbnail_format, transcoded]) => ({
        path_id,
        content_type,
        width,
        height,
        thumbnail_format,
        transcoded,
      })),
      alertWords: alertWords(
        watched.flatMap(([id, words]) => words.map((word) => ({ user_id: asId<UserId>(Number(id)), word }))),
      ),
      websites: new Map(
        Object.entries<Record<string, string>>(context['url_embed_data'] ?? {}).map(([url, page]) => [
          url,
          {
            title: page['title'] ?? null,
            description: page['description'] ?? null,
            image: page['image'] ?? null,
            embedHtml: null,
            kind: 'card',
          },
        ]),
      ),
      imagePreviews: context['inline_image_preview'] ?? true,
      websitePreviews: context['inline_url_embed_preview'] ?? true,
      translateEmoticons: context['translate_emoticons'] ?? false,
      fromMail: context['email_gateway'] ?? false,
    },
    {
      url: 'https://chat.roost.test',
      emoji: new Map([
        ['roost', emoji(51)],
        ['night_owl', emoji(52)],
        ['rocket', emoji(53)],
      ]),
      linkifiers: compileLinkifiers(context['linkifiers'] ?? []),
      defaultCodeLanguage: context['default_code_block_language'] ?? '',
      mediaProxy: proxy,
    },
  );
}
