import { refusalIn } from '#kernel/refusals';

/** Returns an error message of the server in German. A file of its own, whose chunk has the name of its language. */
export const inGerman = (message: string): string => refusalIn('de', message);
