export { readWebFile, webManifest, type WebManifest } from './web-files.ts';
