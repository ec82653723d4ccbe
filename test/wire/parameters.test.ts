import { described, fits, vocabulary } from '#kernel/openapi';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/server.ts';

const uses = endpoints.flatMap((endpoint) =>
  Object.entries(endpoint.params).map(([name, param]) => ({
    place: `${name} of ${endpoint.id}`,
    name,
    param,
    ...described(name, param),
  })),
);

describe('the parameters', () => {
  it('are all described', () => {
    expect(uses.length).toBeGreaterThan(800);
    expect(uses.filter(({ doc }) => !/^[A-Z0-9`].*[.!)]$/.test(doc)).map(({ place, doc }) => [place, doc])).toEqual([]);
  });

  it('are shown with an example that their schema accepts', () => {
    const wrong = uses.filter(({ param, example }) => !fits(param, example));
    expect(wrong.map(({ place, example }) => [place, example])).toEqual([]);
    const missing = uses.filter(({ param, example }) => param.encoding !== 'file' && example === undefined);
    expect(missing.map(({ place }) => place)).toEqual([]);
  });

  it('have no words that nobody needs', () => {
    const names = new Set(uses.map(({ name }) => name));
    expect([...vocabulary.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
