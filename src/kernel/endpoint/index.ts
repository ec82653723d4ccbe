export {
  administrators,
  anyone,
  everyone,
  humanMembers,
  humans,
  members,
  owners,
  spectators,
} from './access.ts';
export { decode, type Fields, ignoredParameters, parseBounded } from './decode.ts';
export { parseShortened } from './slim-json.ts';
export { answerInParts } from './in-parts.ts';
export { decodeInTurns, nextTurn, ownTurn } from './turns.ts';
export { type AnyEndpoint, endpoint, type Endpoints, type RequestFacts } from './endpoint.ts';
export {
  alias,
  file,
  json,
  lenient,
  optional,
  type Param,
  type Params,
  paramsOfSettings,
  path,
  pathText,
  type Posted,
  posted,
  raw,
  type UploadedFile,
  withDefault,
} from './params.ts';
export { namesTag } from './entity-tag.ts';
export { type AnswerRoom, Held, RawBody } from './reply.ts';
export { allParts, type PathPart, pathParts } from './path.ts';
export {
  hasRealm,
  type Page,
  page,
  type PageRequest,
  type PageResponse,
  type PageStream,
  type RealmRequest,
} from './page.ts';
