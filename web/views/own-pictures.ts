import type { Client } from '../client/index.ts';

/** Addresses of pictures that the organization uploaded; generated ones are not returned. */
export function ownPictures({ model }: Client) {
  const { facts } = model;
  return {
    icon: own(facts.get('realm_icon_source'), facts.get('realm_icon_url')),
    logo: own(facts.get('realm_logo_source'), facts.get('realm_logo_url')),
    nightLogo: own(facts.get('realm_night_logo_source'), facts.get('realm_night_logo_url')),
  };
}

function own(source: string | undefined, url: string | undefined): string | undefined {
  return source === 'U' && url?.startsWith('/') === true ? url : undefined;
}
