import { lookUp } from '#kernel/lists';
import { type At, firstOf } from '../field.ts';
import type { Integration } from '../integration.ts';
import { bold, bullets, facts, md, paragraphs } from '../markdown.ts';
import { UnsupportedEvent } from '../faults.ts';
import { links, mark } from './alerts.ts';
import { asWords } from './code.ts';

const DONE: Readonly<Record<string, string>> = {
  Grab: 'was grabbed',
  Download: 'was imported',
  Rename: 'was renamed',
  Retag: 'got new tags',
  SeriesAdd: 'was added',
  MovieAdded: 'was added',
  SeriesDelete: 'was deleted',
  MovieDelete: 'was deleted',
  EpisodeFileDelete: 'lost a file',
  MovieFileDelete: 'lost a file',
};

const PROGRAMS = { series: 'Sonarr', movie: 'Radarr', artist: 'Lidarr' } as const;
/** Additional events by kind of collection. */
const MORE = {
  series: ['SeriesDelete', 'EpisodeFileDelete'],
  movie: ['MovieAdded', 'MovieDelete', 'MovieFileDelete'],
  artist: ['Retag'],
} as const;

/** The quality of a file, and that of the file it replaces. */
function qualityOf(at: At): string {
  const files = ['movieFile', 'episodeFile'].flatMap((file) => [
    at(`${file}.quality`),
    at(`${file}.quality.quality.name`),
  ]);
  const now = firstOf(at('release.quality'), ...files);
  const before = at('isUpgrade').isTrue ? at('deletedFiles.0.quality').text : '';
  return before === '' || now === '' ? now : `${before} → ${now}`;
}

/** Additional fields of sample events. */
const EXAMPLES: Readonly<Record<string, object>> = {
  ApplicationUpdate: { message: 'Updated from 4.2.0 to 4.2.1', previousVersion: '4.2.0', newVersion: '4.2.1' },
  Download: {
    isUpgrade: true,
    deletedFiles: [{ id: 8, quality: 'WEBRip-720p' }],
    release: { quality: 'WEBRip-1080p' },
  },
  MovieDelete: { deletedFiles: true },
  MovieFileDelete: { deleteReason: 'missingFromDisk', movieFile: { quality: 'Bluray-1080p' } },
  SeriesDelete: { deletedFiles: false },
  EpisodeFileDelete: {
    deleteReason: 'upgrade',
    episodeFile: { quality: { quality: { id: 1, name: 'SDTV' }, revision: { version: 1 } } },
  },
};

/** Why something was deleted, and whether with its files. */
function whyOf(at: At): string {
  const why = asWords(at('deleteReason').text);
  const files = at('deletedFiles').isTrue ? ' with its files' : '';
  return why === '' ? files : `${files} (${why})`;
}

/** The common integration of Sonarr, Radarr and Lidarr, which manage media collections. */
export function arrIntegration(
  kind: 'series' | 'movie' | 'artist',
  example: object,
): Pick<Integration, 'events' | 'read' | 'samples'> {
  const title = (at: At) => firstOf(at(`${kind}.title`), at(`${kind}.name`));
  const program = PROGRAMS[kind];
  const events = ['Test', 'Health', 'HealthRestored', 'ApplicationUpdate', 'Grab', 'Download', 'Rename', ...MORE[kind]];
  return {
    events,
    read: (at) => {
      const event = at('eventType').need;
      if (event === 'Test') return { event, topic: `${program} - Test`, content: md`The webhook works.` };
      if (event === 'ApplicationUpdate') {
        const versions = md` from ${at('previousVersion').text || 'another version'} to ${at('newVersion').text || 'a new one'}`;
        return { event, topic: `${program} - Application update`, content: md`${program} was updated${versions}.` };
      }
      if (event === 'Health' || event === 'HealthRestored') {
        const mood = event === 'HealthRestored' ? 'good' : at('level').text === 'error' ? 'bad' : 'note';
        const content = paragraphs(md`${mark(mood)} ${at('message')}`, links({ 'More about it': at('wikiUrl') }));
        return { event, topic: `Health ${at('level').text || 'check'}`, content };
      }
      const did = lookUp(DONE, event);
      if (did === undefined) throw new UnsupportedEvent(event);
      // An album's tracks go into a list, because they are too many for the sentence.
      const tracks = at('tracks').list.map((one) => md`${one.at('title').text || 'a track'}`);
      const parts = [...['episodes', 'albums'].flatMap((path) => at(path).list), at('album')].filter(
        (one) => one.exists,
      );
      const names = parts.map((one) => {
        const number = one.at('episodeNumber').exists
          ? `${one.at('seasonNumber').text}x${one.at('episodeNumber').text} `
          : '';
        return `${number}${one.at('title').text}`;
      });
      const name = title(at) || at(`${kind}.title`).need;
      return {
        event: event.endsWith('Download') ? 'Download' : event,
        topic: name,
        content: paragraphs(
          md`${bold(name)}${names.length === 0 ? undefined : md` (${names.join(', ')})`} ${event === 'Download' && at('isUpgrade').isTrue ? 'was upgraded' : did}${whyOf(at)}.`,
          bullets(tracks, at('tracks').count),
          facts({
            Quality: qualityOf(at),
            Release: firstOf(at('release.releaseTitle'), at('movieFile.sceneName'), at('episodeFile.sceneName')),
            Indexer: at('release.indexer'),
          }),
        ),
      };
    },
    samples: events.map((eventType) => ({
      of: `An event: ${eventType}`,
      json: {
        eventType,
        ...example,
        ...(eventType.startsWith('Health') && { level: 'warning', message: 'The disk is full.', type: 'DiskCheck' }),
        ...EXAMPLES[eventType],
      },
    })),
  };
}
