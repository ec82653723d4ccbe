import { below, show, wordsFor } from '#features/pages';
import { page, type PageRequest } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { addressOf, byCategory } from './document.ts';
import type { Category, Integration } from './integration.ts';
import { renderedExamples } from './rendered.ts';
import { eventsOf, findIntegration, INTEGRATIONS } from './registry.ts';

/** The headings of the list. How a service is set up, and what is said, is in English, as the services are. */
const CATEGORIES = {
  Code: 'integrations.code',
  'Builds and deployments': 'integrations.builds',
  Monitoring: 'integrations.monitoring',
  Projects: 'integrations.projects',
  Customers: 'integrations.customers',
  Money: 'integrations.money',
  Communication: 'integrations.communication',
  Other: 'integrations.other',
} as const satisfies Readonly<Record<Category, string>>;

const listPage = page({
  methods: ['GET'],
  path: '/integrations/',
  handle: (request) => {
    const { t, language } = wordsFor(request);
    return Promise.resolve(
      show(request, {
        language,
        title: t('integrations.title'),
        wide: true,
        lede: t('integrations.lede'),
        body: html`${byCategory(INTEGRATIONS).map(
          ([category, those]) =>
            html`<h2>${t(CATEGORIES[category])}</h2><ul class="links">${those.map(({ name, title }) => html`<li><a href="/integrations/${name}">${title}</a></li>`)}</ul>`,
        )}`,
      }),
    );
  },
});

const onePage = page({
  methods: ['GET'],
  path: '/integrations/{name}',
  handle: (request) => {
    const { t, language } = wordsFor(request);
    const integration = findIntegration(request.path['name'] ?? '');
    return integration
      ? about(request, integration)
      : Promise.resolve(show(request, { language, title: t('integrations.none'), status: 404 }));
  },
});

async function about(request: PageRequest, integration: Integration) {
  const { realm, context } = request;
  const { t, rich, language } = wordsFor(request);
  const origin = realm ? realm.url : context.server.externalUrl;
  const events = eventsOf(integration);
  const options = integration.options ?? [];
  const examples = await renderedExamples(integration);
  return show(request, {
    language,
    title: integration.title,
    wide: true,
    lede: t('integrations.bot'),
    body: html`<div class="guide"><pre><code>${addressOf(integration, origin)}</code></pre>
<p lang="en">${integration.setUp}</p>
${integration.publishedAt !== undefined && html`<p>${rich('integrations.follows', { link: html`<a href="${integration.publishedAt}">${integration.publishedAt}</a>` })}</p>`}
${options.length > 0 && html`<h2>${t('integrations.options')}</h2><dl>${options.map(({ key, label }) => html`<dt><code>${key}</code></dt><dd lang="en">${label}</dd>`)}</dl>`}
${events !== null && html`<h2>${t('integrations.events')}</h2><p>${events.join(', ')}</p>`}
<h2>${t('integrations.said')}</h2>
<div lang="en">${examples.map(({ of, said }) => html`<h3>${of}</h3>${said.map(({ topic, content }) => html`<p><b>${topic}</b></p><blockquote>${content}</blockquote>`)}`)}</div>
</div>${below({ text: t('integrations.all'), href: '/integrations/' })}`,
  });
}

/** Pages about the integrations, generated from their declarations. */
export const integrationPages = [listPage, onePage];
