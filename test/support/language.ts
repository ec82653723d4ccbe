import type { World } from './world.ts';

/** Does something while the organization's language is German. */
export async function inGerman<T>({ olive }: Pick<World, 'olive'>, work: () => Promise<T>): Promise<T> {
  await olive.patch('/realm', { default_language: 'de' });
  const result = await work();
  await olive.patch('/realm', { default_language: 'en' });
  return result;
}
