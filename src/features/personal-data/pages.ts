import { finished } from 'node:stream';
import { refuse } from '#features/downloads';
import { KeyNotEnough } from '#kernel/errors';
import { confirmFirst } from '#features/sign-in';
import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import type { Archive } from '#features/exports';
import type { Person } from './messages.ts';
import { beginReading } from './readers.ts';
import { writePersonalData } from './write.ts';
import { streamZip } from './zip.ts';

const PATH = '/personal_data';

/** Downloads the caller's data as a zip that is made while it is read. See protocol/organizations#personal-data. */
const download = page({
  methods: ['GET'],
  path: PATH,
  async handle(request) {
    const { actor, refusal } = request;
    if (refusal) throw refusal;
    if (!actor) return refuse(request, 'forbidden');
    if (actor.shownBy?.kind === 'device key') throw KeyNotEnough();
    const first = actor.shownBy && confirmFirst(request, PATH);
    if (first) return first;
    return (actor.isBot ? undefined : await give(request)) ?? refuse(request, 'gone');
  },
});

async function give(request: PageRequest): Promise<PageResponse | undefined> {
  const { context, realm, actor } = request;
  if (!realm || !actor) return undefined;
  const end = beginReading(context.server, actor.userId);
  try {
    await context.limits.take('personal-data', `${realm.id}:${actor.userId}`);
    const { stream } = await streamData(request, { realm, actor });
    finished(stream, end);
    return { headers: HEADERS, body: { stream, length: undefined } };
  } catch (error) {
    end();
    throw error;
  }
}

/** Makes the zip. Before each of its files the person is checked again: somebody may read it for hours. */
function streamData(request: PageRequest, person: Person) {
  const { context } = request;
  return streamZip(context.clock.now(), async (zip) => {
    const archive: Archive = { write: (...file) => request.assertStillIn().then(() => zip.write(...file)) };
    await writePersonalData(context, archive, person).catch((error: unknown) => {
      context.log.room('personal-data').info({ err: error }, 'data of a person were not handed out whole');
      throw error;
    });
  });
}

const HEADERS = {
  'content-type': 'application/zip',
  'content-disposition': 'attachment; filename="personal-data.zip"',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

export const personalDataPages = [download];
