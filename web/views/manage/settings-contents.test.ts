import { describe, expect, it } from 'vitest';
import { routeOf } from '../../addresses/index.ts';
import { placeIn, settingsOf } from './settings-contents.ts';
import { organizationPages, ownPages } from './settings-pages.ts';

const pages = [...ownPages(), ...organizationPages()].map(({ href }) => href);
const addressesOn = (page: string) => settingsOf(page, true).map(({ href }) => href);

describe('the addresses of single settings', () => {
  it('are there for settings of the reader and of the organization', () => {
    expect(pages.filter((page) => addressesOn(page).length > 0).length).toBeGreaterThan(10);
    expect(pages.flatMap(addressesOn).length).toBeGreaterThan(100);
  });

  it('name each setting of a page by another name', () => {
    const twice = pages.flatMap((page) => {
      const all = addressesOn(page);
      return all.filter((href, index) => all.indexOf(href) !== index);
    });
    expect(twice).toEqual([]);
  });

  it('have only letters, digits, hyphens and underscores, which nothing escapes', () => {
    const odd = pages.flatMap(addressesOn).filter((href) => !/^#(?:settings|organization)\/[\w-]+\/[\w-]+$/.test(href));
    expect(odd).toEqual([]);
  });

  it('lead to the setting on its page', () => {
    const lost = pages.flatMap((page) =>
      settingsOf(page, true).filter(({ href, label }) => {
        const route = routeOf(href, { me: 1, nameOf: () => undefined, channelNamed: () => undefined });
        if (route.view !== 'settings' && route.view !== 'organization') return true;
        const { section, sought } = placeIn(route.view, route.section);
        return `#${route.view}/${section}` !== page || sought !== label;
      }),
    );
    expect(lost).toEqual([]);
  });
});
