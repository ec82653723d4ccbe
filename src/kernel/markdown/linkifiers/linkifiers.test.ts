import { describe, expect, it } from 'vitest';
import {
  checkLinkifier,
  checkPlayground,
  compileLinkifiers,
  firstMessage,
  mayNameLanguage,
  type ProposedLinkifier,
} from '../index.ts';

const plain: ProposedLinkifier = {
  pattern: '#(?P<id>[0-9]+)',
  url_template: 'https://tracker.example.com/{id}',
  example_input: null,
  reverse_template: null,
  alternative_url_templates: [],
};

function faultsOf(parts: Partial<ProposedLinkifier>, isDuplicate = false) {
  const fault = checkLinkifier({ ...plain, ...parts }, isDuplicate);
  return fault?.kind === 'fields' ? fault.errors : fault;
}

describe('checking a linkifier (protocol/linkifiers#adding)', () => {
  it('accepts a valid one, with and without the optional fields', () => {
    expect(faultsOf({})).toBeUndefined();
    expect(
      faultsOf({
        example_input: '#12',
        reverse_template: '#{id}',
        alternative_url_templates: ['https://old.example.com/{id}'],
      }),
    ).toBeUndefined();
  });

  it('requires a pattern and a template (check 1)', () => {
    expect(faultsOf({ pattern: '' })).toMatchObject({ pattern: ['This field cannot be blank.'] });
    expect(faultsOf({ url_template: '' })).toMatchObject({ url_template: ['This field cannot be blank.'] });
  });

  it.each(['{id', 'https://x.example/{', '{}', '{a,,b}', '{{id}}', 'x}'])(
    'refuses the template %s (check 2)',
    (url_template) => {
      expect(faultsOf({ url_template })).toEqual({ url_template: ['Invalid URL template.'] });
    },
  );

  it.each(['(foo', '????', '(?=x)', '(?<!x)y', '(a)\\1', 'x{1001}'])('refuses the pattern %s (check 3)', (pattern) => {
    const errors = faultsOf({ pattern, url_template: 'https://x.example' });
    expect(errors).toEqual({ __all__: [expect.stringMatching(/^Bad regular expression: ./)] });
  });

  it('requires an example for a reverse template (check 4)', () => {
    expect(faultsOf({ reverse_template: '#{id}' })).toEqual({ kind: 'example required' });
  });

  it('requires that the pattern matches somewhere in the example (check 5)', () => {
    expect(faultsOf({ example_input: 'see #12 there' })).toBeUndefined();
    expect(faultsOf({ example_input: 'twelve' })).toEqual({
      __all__: ['Example input does not match the linkifier pattern.'],
    });
  });

  it.each([
    ['#{id', "Invalid auto-conversion field: missing '}' character."],
    ['#{}', 'Invalid auto-conversion field: empty field name.'],
    ['#{nr}', "Group 'nr' in auto-conversion field is not present in linkifier pattern."],
    ['nr {id}', 'Example text does not match auto-conversion field.'],
  ])('reads the reverse template %s (checks 6, 7)', (reverse_template, message) => {
    expect(faultsOf({ example_input: '#12', reverse_template })).toEqual({ __all__: [message] });
  });

  it('reads doubled braces, and a single closing one, as text', () => {
    const braces = { pattern: '\\{(?P<id>[0-9]+)\\}', example_input: '{12}' };
    expect(faultsOf({ ...braces, reverse_template: '{{{id}}}' })).toBeUndefined();
    expect(faultsOf({ ...braces, reverse_template: '{{{id}}' })).toBeUndefined();
  });

  it('requires the same names in pattern and template (checks 8, 9)', () => {
    expect(faultsOf({ url_template: 'https://x.example/{id}/{b}/{a}' })).toEqual({
      __all__: ["Group 'a' in URL template is not present in linkifier pattern."],
    });
    expect(faultsOf({ pattern: '(?P<b>x)(?P<a>y)', url_template: 'https://x.example' })).toEqual({
      __all__: ["Group 'a' in linkifier pattern is not present in URL template."],
    });
  });

  it('reads the names in every kind of template expression', () => {
    expect(faultsOf({ pattern: '(?P<a>x)(?P<b>y)', url_template: 'https://x.example{/a:3}{?b*}' })).toBeUndefined();
  });

  it('refuses a pattern that exists already (check 10)', () => {
    expect(faultsOf({}, true)).toEqual({ __all__: ['Realm filter with this Realm and Pattern already exists.'] });
  });

  it('checks alternatives by the same rules (check 11)', () => {
    expect(faultsOf({ alternative_url_templates: ['{'] })).toEqual({
      alternative_url_templates: ['Invalid URL template.'],
    });
    expect(faultsOf({ alternative_url_templates: ['https://x.example'] })).toEqual({
      __all__: ["Group 'id' in linkifier pattern is not present in URL template."],
    });
  });

  it('reports errors of single fields first', () => {
    const errors = faultsOf({ url_template: '{' }, true);
    expect(errors && !('kind' in errors) ? firstMessage(errors) : undefined).toBe('Invalid URL template.');
  });
});

describe('expanding a template', () => {
  it.each([
    ['https://x.example/50%/{id}', 'https://x.example/50%25/12'],
    ['https://x.example/%{id}', 'https://x.example/%2512'],
    ['https://x.example/%4/{id}%', 'https://x.example/%254/12%25'],
    ['https://x.example/%41%c3%A9/{id}', 'https://x.example/%41%c3%A9/12'],
  ])(
    'encodes a percent sign that does not begin an escape: %s (RFC 6570, protocol/linkifiers#adding)',
    (url_template, url) => {
      expect(faultsOf({ url_template })).toBeUndefined();
      const [linkifier] = compileLinkifiers([{ pattern: plain.pattern, url_template }]).mayMatch('#12');
      expect(linkifier?.matches('#12')).toEqual([{ start: 0, end: 3, url }]);
    },
  );
});

describe('checking a playground (protocol/linkifiers#playgrounds)', () => {
  it('accepts a template with the one variable', () => {
    expect(checkPlayground({ name: 'Run it', url_template: 'https://run.example.com/{?code}' }, false)).toBeUndefined();
  });

  it.each([
    ['', 'https://x.example/{code}', { name: ['This field cannot be blank.'] }],
    ['Run', 'https://x.example/{', { url_template: ['Invalid URL template.'] }],
    ['Run', 'https://x.example/', { __all__: ['Missing the required variable "code" in the URL template'] }],
    [
      'Run',
      'https://x.example/{code}/{x}',
      { __all__: ['"code" should be the only variable present in the URL template'] },
    ],
  ])('refuses %j with %s (checks 4 to 7)', (name, url_template, errors) => {
    expect(checkPlayground({ name, url_template }, false)).toEqual(errors);
  });

  it('refuses a second one with the same name (check 8)', () => {
    expect(checkPlayground({ name: 'Run', url_template: 'https://x.example/{code}' }, true)).toEqual({
      __all__: ['Realm playground with this Realm, Pygments language and Name already exists.'],
    });
  });

  it('accepts names of languages, and no other texts (check 3)', () => {
    expect(['C++', 'Objective-C', 'F#', 'a b', 'x/y.z_1'].every(mayNameLanguage)).toBe(true);
    expect(['C*', 'é', 'a"b'].some(mayNameLanguage)).toBe(false);
  });
});
