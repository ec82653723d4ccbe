import { apiError } from '#kernel/errors';

export const ChannelsMissing = apiError<Record<never, never>, { names: string }>({
  message: (e) => `Channel(s) (${e.names}) do not exist`,
});
export const NothingToDo = apiError({ message: 'Nothing to do. Specify at least one of "add" or "delete".' });
export const UnknownProperty = apiError<Record<never, never>, { property: string }>({
  message: (e) => `Unknown subscription property: ${e.property}`,
});
export const NotBoolean = apiError<Record<never, never>, { property: string }>({
  message: (e) => `${e.property} is not a boolean`,
});
export const NotColor = apiError({ message: 'color is not a valid hex color code' });
export const NotSubscribed = apiError<Record<never, never>, { id: number }>({
  message: (e) => `Not subscribed to channel ID ${e.id}`,
});
