import { describe, expect, it } from 'vitest';
import { fieldsIn, isObject, parseJson } from './index.ts';

describe('JSON of unknown origin', () => {
  it.each(['', '{', 'undefined', "{'a': 1}", '{"a": 1} x'])('that is invalid (%s) is undefined', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  it('keeps every valid value, null included', () => {
    expect(['null', '0', '"a"', '[1]', '{"a":{}}'].map(parseJson)).toEqual([null, 0, 'a', [1], { a: {} }]);
  });

  it('has fields only if it is an object', () => {
    expect(fieldsIn({ a: 1 })).toEqual({ a: 1 });
    for (const value of [null, undefined, 1, 'a', [1], true]) {
      expect(isObject(value)).toBe(false);
      expect(fieldsIn(value)).toEqual({});
    }
  });
});
