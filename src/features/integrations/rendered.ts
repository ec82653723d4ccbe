import { Html } from '#kernel/html';
import { onceFor } from '#kernel/lists';
import { compileLinkifiers, type MarkdownWorld, renderMarkdown } from '#kernel/markdown';
import { examplesOf } from './document.ts';
import type { Integration } from './integration.ts';

/** What an example says, as people see it. */
interface RenderedExample {
  readonly of: string;
  readonly said: readonly { readonly topic: string; readonly content: Html }[];
}

/** An organization with nobody and nothing in it: examples name no one. */
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

/** The examples of an integration, rendered once as long as the process lives: they never change. */
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

/** An emoji as clients get it; pages have no pictures of emoji. */
const EMOJI = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g;

function characters(code: string): string {
  return String.fromCodePoint(...code.split('-').map((one) => Number.parseInt(one, 16)));
}
