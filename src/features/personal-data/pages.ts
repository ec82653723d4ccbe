import { refuse } from '#features/downloads';
import { KeyNotEnough } from '#kernel/errors';
import { confirmFirst } from '#features/sign-in';
import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
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

async function give({ context, realm, actor }: PageRequest): Promise<PageResponse | undefined> {
  if (!realm || !actor) return undefined;
  await context.limits.take('personal-data', `${realm.id}:${actor.userId}`);
  const { stream } = await streamZip(context.clock.now(), (archive) =>
    writePersonalData(context, archive, { realm, actor }).catch((error: unknown) => {
      context.log.room('personal-data').info({ err: error }, 'data of a person were not handed out whole');
      throw error;
    }),
  );
  return {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="personal-data.zip"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body: { stream, length: undefined },
  };
}

export const personalDataPages = [download];
