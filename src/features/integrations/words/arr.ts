import { type At, firstOf } from '../field.ts';
import type { Integration } from '../integration.ts';
import { bold, facts, md, paragraphs } from '../markdown.ts';
import { UnsupportedEvent } from '../faults.ts';
import { mark } from './alerts.ts';

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

/** What Sonarr, Radarr and Lidarr have in common: they keep collections of something. */
export function likeSonarr(
  kind: 'series' | 'movie' | 'artist',
  example: object,
): Pick<Integration, 'events' | 'read' | 'samples'> {
  const title = (at: At) => firstOf(at(`${kind}.title`), at(`${kind}.name`));
  const events = ['Test', 'Health', 'Grab', 'Download', 'Rename'];
  return {
    events,
    read: (at) => {
      const event = at('eventType').need;
      if (event === 'Test') return { event, topic: title(at) || 'Test', content: md`The webhook works.` };
      if (event === 'Health') {
        const content = md`${mark(at('level').text === 'error' ? 'bad' : 'note')} ${at('message')}`;
        return { event, topic: `Health ${at('level').text || 'check'}`, content };
      }
      const did = Object.hasOwn(DONE, event) ? DONE[event] : undefined;
      if (did === undefined) throw new UnsupportedEvent(event);
      const parts = ['episodes', 'albums', 'tracks'].flatMap((path) => at(path).list);
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
          md`${bold(name)}${names.length === 0 ? undefined : md` (${names.join(', ')})`} ${event === 'Download' && at('isUpgrade').isTrue ? 'was upgraded' : did}.`,
          facts({ Quality: at('release.quality'), Indexer: at('release.indexer') }),
        ),
      };
    },
    samples: events.map((eventType) => ({
      of: `An event: ${eventType}`,
      json: {
        eventType,
        ...example,
        ...(eventType === 'Health' && { level: 'warning', message: 'The disk is full.' }),
      },
    })),
  };
}
