import { type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { bold, facts, link, type Markdown, md, paragraphs, quote } from '../markdown.ts';
import { noted, person } from '../words/index.ts';

const project = { name: 'Boats', identifier: 'boats' };
const work_package = {
  id: 36,
  subject: 'Tar the keel',
  description: { format: 'markdown', raw: 'Twice, please.' },
  dueDate: '2026-12-01',
  _embedded: {
    project,
    author: { name: 'Mia Member' },
    status: { name: 'New' },
    type: { name: 'Task' },
    priority: { name: 'Normal' },
    assignee: { name: 'Max Member' },
  },
};
const EVENTS = [
  'work_package:created',
  'work_package:updated',
  'project:created',
  'project:updated',
  'time_entry:created',
  'attachment:created',
  'work_package_comment:comment',
];

/** Text as a link, or bold if its address is unknown: payloads have no web addresses. */
function named(text: string | Field, url: string): Markdown {
  return url === '' ? bold(text) : link(text, url);
}

export const openproject = integration({
  name: 'openproject',
  title: 'OpenProject',
  category: 'Projects',
  setUp:
    'As an administrator open Administration, API and webhooks, Webhooks. Paste the address as Payload URL and choose the events.',
  events: EVENTS,
  options: [OPTIONS.secret, { key: 'home', label: 'Address of OpenProject, for links', input_type: 'text' }],
  signature: { header: 'x-op-signature', algorithm: 'sha1', prefix: 'sha1=' },
  read: (at, { option }) => {
    const home = option('home').replace(/\/+$/, '');
    const page = (path: string, id: Field) => (home === '' || id.text === '' ? '' : `${home}/${path}/${id.text}`);
    const event = at('action').need;
    if (!EVENTS.includes(event)) throw new UnsupportedEvent(event);
    const [kind = '', action = ''] = event.split(':');
    const it = at(kind === 'work_package_comment' ? 'activity' : kind);
    const embedded = it.at('_embedded');
    const who = firstOf(person(embedded.at('author')), person(embedded.at('user')));
    const by = who === '' ? undefined : md` by ${who}`;
    const parent = firstOf(embedded.at('parent.name'), it.at('_links.parent.title'));
    const topic = firstOf(
      embedded.at('project.name'),
      embedded.at('container._links.project.title'),
      it.at('name'),
      embedded.at('workPackage.subject'),
      embedded.at('container.subject'),
      'OpenProject',
    );
    if (kind === 'work_package')
      return {
        event,
        topic,
        content: paragraphs(
          md`The work package ${named(`#${it.at('id').text} ${it.at('subject').need}`, page('work_packages', it.at('id')))} was ${action}${by}.`,
          action === 'created' ? quote(it.at('description.raw')) : undefined,
          facts({
            Kind: embedded.at('type.name'),
            Priority: embedded.at('priority.name'),
            Due: it.at('dueDate'),
            Status: embedded.at('status.name'),
            'Assigned to': embedded.at('assignee.name'),
          }),
        ),
      };
    if (kind === 'time_entry')
      return {
        event,
        topic,
        content: noted(
          md`${who || 'Somebody'} spent ${it.at('hours').need.replace(/^PT/, '').toLowerCase()} on ${link(embedded.at('workPackage.subject').text || 'the project', page('work_packages', embedded.at('workPackage.id')))}${it.at('spentOn').exists ? md` on ${it.at('spentOn').text}` : undefined}`,
          it.at('comment.raw'),
        ),
      };
    if (kind === 'attachment')
      return {
        event,
        topic,
        content: md`The file ${bold(it.at('fileName'))} was attached to ${link(embedded.at('container.subject').text || 'the project', page('work_packages', embedded.at('container.id')))}${by}.`,
      };
    if (kind === 'work_package_comment')
      return {
        event,
        topic,
        content: noted(
          md`${who || 'Somebody'} commented on ${link(embedded.at('workPackage.subject').text || 'a work package', page('work_packages', embedded.at('workPackage.id')))}`,
          it.at('comment.raw'),
        ),
      };
    return {
      event,
      topic,
      content: md`The project ${named(it.at('name'), page('projects', it.at('identifier')))}${parent === '' ? undefined : md` in ${parent}`} was ${action}${by}.`,
    };
  },
  samples: [
    { of: 'A work package is created', json: { action: 'work_package:created', work_package } },
    { of: 'A work package changes', json: { action: 'work_package:updated', work_package } },
    {
      of: 'A work package is created, with a link',
      query: 'home=https%3A%2F%2Fopenproject.ferry.example%2F',
      json: { action: 'work_package:created', work_package },
    },
    { of: 'A project is created', json: { action: 'project:created', project } },
    {
      of: 'A project within another is created',
      json: { action: 'project:created', project: { ...project, _embedded: { parent: { id: 1, name: 'Harbour' } } } },
    },
    { of: 'A project changes', json: { action: 'project:updated', project } },
    {
      of: 'Time is entered',
      json: {
        action: 'time_entry:created',
        time_entry: {
          hours: 'PT1H30M',
          spentOn: '2026-11-20',
          comment: { format: 'plain', raw: 'First coat.' },
          _embedded: { project, user: { name: 'Mia Member' }, workPackage: { subject: 'Tar the keel' } },
        },
      },
    },
    {
      of: 'A file is attached',
      json: {
        action: 'attachment:created',
        attachment: {
          fileName: 'plan.pdf',
          _embedded: {
            author: { name: 'Mia Member' },
            container: { id: 36, subject: 'Tar the keel', _links: { project: { title: 'Boats' } } },
          },
        },
      },
    },
    {
      of: 'A comment is made',
      json: {
        action: 'work_package_comment:comment',
        activity: {
          comment: { raw: 'Tar helps.' },
          _embedded: { user: { name: 'Mia Member' }, workPackage: { subject: 'Tar the keel' } },
        },
      },
    },
  ],
});
