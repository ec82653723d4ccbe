import { type SegmentList, segmentList } from '#kernel/gzip';
import { inChunks } from '#kernel/store';
import { Assembled, type CachedRead, type Part, sharedCache, type StateContext } from '#kernel/state';
import type { ChannelRow } from '../core/index.ts';
import { isMember, sightOf } from './known.ts';
import { CHANNELS, isOpen, readChannels } from './shared-texts.ts';

/** Most consecutive channels that are compressed together. */
const ROW_LENGTH = 50;

const rowsCache = sharedCache<Rows>();

/** All channels in rows of `ROW_LENGTH`, and the compressed text of each row. */
interface Rows {
  readonly rows: readonly (readonly ChannelRow[])[];
  /** Whether every member sees all channels of a row. */
  readonly areOpen: readonly boolean[];
  readonly segmentList: SegmentList;
}

/**
 * The channels that a viewer may know of, without subscribers; rows that the viewer may know completely are shared
 * segments.
 */
export async function sharedStreams(input: StateContext, cached: CachedRead) {
  const channels = await readChannels(input, cached);
  const { has } = await sightOf(input);
  const bare = (row: ChannelRow) => `{${channels.texts.get(row.id)?.bare ?? ''}}`;
  const { archived_channels } = input.view;
  const {
    rows,
    areOpen,
    segmentList: texts,
  } = await cached(rowsCache, `${archived_channels}`, CHANNELS, async (outdated) => {
    const shown = inChunks(
      channels.rows.filter((row) => archived_channels || !row.is_archived),
      ROW_LENGTH,
    );
    const rowTexts = shown.map((row) => row.map(bare).join());
    const before = outdated?.segmentList;
    return {
      rows: shown,
      areOpen: shown.map((row) => row.every(isOpen)),
      segmentList: await segmentList(
        rowTexts.map((text, index) => before?.refOf(text, index) ?? text),
        ',',
      ),
    };
  });
  const parts = texts.refs.flatMap((ref): Part[] => {
    if (areOpen[ref.index] && isMember(input.tx.actor)) return [',', ref];
    const row = rows[ref.index] ?? [];
    if (row.every(has)) return [',', ref];
    const seen = row.filter(has);
    return seen.length > 0 ? [',', seen.map(bare).join()] : [];
  });
  return { streams: new Assembled(['[', ...parts.slice(1), ']']) };
}
