import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { withQuickSpreads } from './spreads.mjs';

describe('spreads of the built server', () => {
  it.each([
    ['({ ...a, b: 1 })', '({ ...null, ...a, b: 1 })'],
    ['({\n  ...a,\n  ...b\n})', '({ ...null,\n  ...a,\n  ...b\n})'],
    ['f({ ...{ ...a, b }, c })', 'f({ ...null, ...{ ...null, ...a, b }, c })'],
    ['x = { a, b: { ...c, d } }', 'x = { a, b: { ...null, ...c, d } }'],
  ])('are taken off the slow path: %j', (before, after) => {
    expect(withQuickSpreads(before)).toBe(after);
  });

  it.each([
    ['a copy', '({ ...a })'],
    ['a spread behind others', '({ a, ...b })'],
    ['what takes an object apart', 'const { ...a } = b;'],
    ['a text', '"{ ...a, b }"'],
    ['a template', '`{ ...a, b }`'],
    ['a comment', '/* { ...a, b } */'],
    ['an expression', '/{ ...a, b }/'],
  ])('leave %s alone', (_name, code) => {
    expect(withQuickSpreads(code)).toBe(code);
  });

  it('give objects of one place one hidden class', () => {
    const code =
      'const some = { a: 1 }; const make = (c) => ({ ...some, c }); console.log(%HaveSameMap(make(1), make(2)));';
    const quick = code.replace('({ ...some, c })', withQuickSpreads('({ ...some, c })'));
    expect(quick).not.toBe(code);
    expect(execFileSync(process.execPath, ['--allow-natives-syntax', '-e', quick], { encoding: 'utf8' })).toBe(
      'true\n',
    );
  });
});
