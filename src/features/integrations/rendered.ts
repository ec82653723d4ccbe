import { Html } from '#kernel/html';
import { onceFor } from '#kernel/lists';
import { compileLinkifiers, type MarkdownWorld, renderMarkdown } from '#kernel/markdown';
import { examplesOf } from './document.ts';
import type { Integration } from './integration.ts';

/** The messages of an example as HTML. */
interface RenderedExample {
  readonly of: string;
  readonly said: readonly { readonly topic: string; readonly content: Html }[];
}

/** An empty organization, for rendering examples. */
const NOBODY: MarkdownWorld = {
  realm: {
    url: 'https://chat.example.com',
    emoji: new Map(),
    linkifiers: compileLinkifiers([]),
    defaultCodeLanguage: '',
    mediaProxy: null,
  },
  users: [],
  groups: [],
  channels: [],
  topics: [],
  uploads: [],
  alertWords: null,
  websites: new Map(),
  imagePreviews: false,
  websitePreviews: false,
  translateEmoticons: false,
  fromMail: false,
};

/** The rendered examples of an integration; rendered once per process, because they never change. */
export const renderedExamples = onceFor(async (integration: Integration): Promise<readonly RenderedExample[]> => {
  const all: RenderedExample[] = [];
  for (const { of, said } of examplesOf(integration)) {
    const messages = said.map(async ({ topic, content }) => ({ topic, content: await render(content) }));
    all.push({ of, said: await Promise.all(messages) });
  }
  return all;
});

async function render(content: string): Promise<Html> {
  const { html } = await renderMarkdown(content, NOBODY);
  return new Html([html.replaceAll(EMOJI, (_span, code: string) => characters(code))], []);
}

/** An emoji in the rendered HTML; pages show the character, because they have no pictures of emoji. */
const EMOJI = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g;

function characters(code: string): string {
  return String.fromCodePoint(...code.split('-').map((one) => Number.parseInt(one, 16)));
}
