export { combined, join, pack, type Packed, type Segment, segment } from './segment.ts';
export { SegmentRef, type SegmentList, segmentList } from './segment-list.ts';
