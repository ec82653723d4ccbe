export {
  Assembled,
  type Part,
  PERSONAL_AND_TALK,
  type Reading,
  type Share,
  type Shelf,
  shelf,
  WITHIN_CHANNELS,
} from './shared.ts';
export { type RegisterState, registerState, type StateContext, type StateRequest } from './state.ts';
