export { FILES_PATH, readWebFile, webManifest, type WebManifest } from './web-files.ts';
