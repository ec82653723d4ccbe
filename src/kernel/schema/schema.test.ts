import { describe, expect, it } from 'vitest';
import {
  anyOf,
  bool,
  color,
  dict,
  firstFault,
  int,
  lenientObject,
  list,
  nullable,
  object,
  oneOf,
  oneOfNumbers,
  refined,
  type Schema,
  text,
  toJsonSchema,
} from './index.ts';

function fault(schema: Schema, value: unknown): string {
  const result = firstFault(schema, 'v', value);
  return 'fault' in result ? result.fault : 'fine';
}

describe("faults in the protocol's words (protocol/errors#parameter-faults)", () => {
  const cases: [string, Schema, unknown, string][] = [
    ['boolean', bool(), 1, 'v is not a boolean'],
    ['integer', int(), '5', 'v is not an integer'],
    ['fraction', int(), 5.5, 'v is not an integer'],
    ['beyond exact integers', int(), 2 ** 60, 'v is too large'],
    ['list', list(int()), 3, 'v is not a list'],
    ['list element', list(int()), [1, 'x'], 'v[1] is not an integer'],
    ['dict', object({ a: int() }), [], 'v is not a dict'],
    ['free dict', dict(bool()), 4, 'v is not a dict'],
    ['missing key', lenientObject({ name: text() }), {}, 'v["name"] field is missing: Field required'],
    ['missing choice', list(object({ type: oneOf('a', 'b') })), [{}], 'v[0]["type"] field is missing: Field required'],
    ['missing number of a set', object({ role: oneOfNumbers(1, 2) }), {}, 'v["role"] field is missing: Field required'],
    ['missing colour', object({ paint: color() }), {}, 'v["paint"] field is missing: Field required'],
    ['missing one of two kinds', object({ to: anyOf(int(), text()) }), {}, 'v["to"] field is missing: Field required'],
    ['nested', list(lenientObject({ value: int() })), [{ value: 'x' }], 'v[0]["value"] is not an integer'],
    [
      'inherited key is missing',
      lenientObject({ toString: text() }),
      {},
      'v["toString"] field is missing: Field required',
    ],
    ['extra key', object({ a: int() }), { a: 1, b: 2 }, 'Argument "b" at v is unexpected'],
    ['string', text(), 7, 'v is not a string'],
    ['too long', text({ max: 3 }), 'abcd', 'v is too long (limit: 3 characters)'],
    ['blank', text({ min: 1 }), '', 'v cannot be blank'],
    ['too small', int({ min: 1 }), 0, 'v is too small'],
    ['too large', int({ max: 10 }), 11, 'v is too large'],
    ['choice', oneOf('a', 'b'), 'c', 'Invalid v'],
    ['colour', color(), 'red', 'v is not a valid hex color code'],
    [
      'own rule',
      refined(text(), (x) => x === 'y', 'Not in the list of possible values'),
      'x',
      'Invalid v: Value error, Not in the list of possible values',
    ],
    ['NUL byte', text(), 'a\u0000', 'Invalid v: Value error, null bytes are not allowed'],
    ['union: neither', anyOf(int(), list(int())), 'x', 'v is not an integer'],
    ['union: the branch that was meant', anyOf(int(), list(int())), [1, 'x'], 'v[1] is not an integer'],
    ['null', nullable(int()), null, 'fine'],
  ];
  it.each(cases)('%s', (_name, schema, value, expected) => {
    expect(fault(schema, value)).toBe(expected);
  });

  it('counts code points, not UTF-16 units', () => {
    expect(fault(text({ max: 2 }), '😀😀')).toBe('fine');
    expect(fault(text({ max: 2 }), '😀😀😀')).toBe('v is too long (limit: 2 characters)');
  });

  it('documents bounds, of what is answered without the ones every integer has', () => {
    const schema = object({ n: int({ min: 1 }), s: text({ max: 3 }) });
    const documented = (n: object) => ({
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1, ...n }, s: { type: 'string', maxLength: 3 } },
      required: ['n', 's'],
      additionalProperties: false,
    });
    expect(toJsonSchema(schema, 'answered')).toEqual(documented({}));
    expect(toJsonSchema(schema, 'sent')).toEqual(documented({ maximum: Number.MAX_SAFE_INTEGER }));
  });
});
