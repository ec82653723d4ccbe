import { below, show } from '#features/pages';
import { page, type PageRequest } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { addressOf, byCategory } from './document.ts';
import type { Integration } from './integration.ts';
import { renderedExamples } from './rendered.ts';
import { eventsOf, findIntegration, INTEGRATIONS } from './registry.ts';

const listPage = page({
  methods: ['GET'],
  path: '/integrations/',
  handle: (request) =>
    Promise.resolve(
      show(request, {
        title: 'Integrations',
        wide: true,
        lede: 'Services whose webhooks become messages here.',
        body: html`${byCategory(INTEGRATIONS).map(
          ([category, those]) =>
            html`<h2>${category}</h2><ul>${those.map(({ name, title }) => html`<li><a href="/integrations/${name}">${title}</a></li>`)}</ul>`,
        )}`,
      }),
    ),
});

const onePage = page({
  methods: ['GET'],
  path: '/integrations/{name}',
  handle: (request) => {
    const integration = findIntegration(request.path['name'] ?? '');
    return integration
      ? about(request, integration)
      : Promise.resolve(show(request, { title: 'No such integration', status: 404 }));
  },
});

async function about(request: PageRequest, integration: Integration) {
  const { realm, context } = request;
  const origin = realm ? realm.url : context.server.externalUrl;
  const events = eventsOf(integration);
  const options = integration.options ?? [];
  const examples = await renderedExamples(integration);
  return show(request, {
    title: integration.title,
    wide: true,
    lede: 'Create a bot of the type incoming webhook in the settings. Its key and the channel are part of the address.',
    body: html`<div class="guide"><pre><code>${addressOf(integration, origin)}</code></pre>
<p>${integration.setUp}</p>
${integration.publishedAt !== undefined && html`<p>Follows: <a href="${integration.publishedAt}">${integration.publishedAt}</a></p>`}
${options.length > 0 && html`<h2>Options of the address</h2><dl>${options.map(({ key, label }) => html`<dt><code>${key}</code></dt><dd>${label}</dd>`)}</dl>`}
${events !== null && html`<h2>Events</h2><p>${events.join(', ')}</p>`}
<h2>What is said</h2>
${examples.map(({ of, said }) => html`<h3>${of}</h3>${said.map(({ topic, content }) => html`<p><b>${topic}</b></p><blockquote>${content}</blockquote>`)}`)}
</div>${below({ text: 'All integrations', href: '/integrations/' })}`,
  });
}

/** Pages about the integrations, generated from their declarations. */
export const integrationPages = [listPage, onePage];
