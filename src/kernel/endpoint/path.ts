/** A segment of a route: fixed text, or the name of a parameter. */
export type PathPart = { readonly fixed: string } | { readonly param: string };

/** The segments of a declared path such as `/streams/{stream_id}/members`. */
export function pathParts(path: string): readonly PathPart[] {
  return allParts(path).map((part) => (part.startsWith('{') ? { param: part.slice(1, -1) } : { fixed: part }));
}

/** The non-empty segments of a path; some clients double the slash. See protocol/wire#routes. */
export function allParts(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}
