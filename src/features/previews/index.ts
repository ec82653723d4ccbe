import { slice } from '#kernel/slice';
import { mediaProxyPage } from './media-proxy.ts';
import { websitePreview } from './tables.ts';
import {
  showingWhenEdited,
  showingWhenMade,
  showingWhenPosted,
  showThumbnails,
  showThumbnailsEverywhere,
} from './thumbnails.ts';
import { lookingWhenEdited, lookingWhenPosted, showWebsites } from './websites.ts';

export const previews = slice({
  name: 'previews',
  tables: [websitePreview],
  pages: [mediaProxyPage],
  jobs: [showThumbnails, showThumbnailsEverywhere, showWebsites],
  on: [showingWhenMade, showingWhenPosted, showingWhenEdited, lookingWhenPosted, lookingWhenEdited],
});
