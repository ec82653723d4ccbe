export { combined, join, pack, type Packed, type Segment, segment, segments, shortSegment } from './segment.ts';
export { SegmentRef, type SegmentList, segmentList } from './segment-list.ts';
