import { describe, expect, it } from 'vitest';
import { withoutMarks } from './without-marks.ts';

describe('the description of a group in a list', () => {
  it.each([
    ['Who moves things by a **pixel**', 'Who moves things by a pixel'],
    ['*Fast*, `exact` and ~~slow~~', 'Fast, exact and slow'],
    ['See [the plan](https://example.test/a) and #**design>logo**', 'See the plan and #design>logo'],
    ['Ask @**Mia Member|12** or @_**Max**', 'Ask @Mia Member or @Max'],
    ['# Crew\n> quoted', 'Crew\nquoted'],
    ['```python\nx = 1\n```', 'x = 1'],
    ['2 * 3 * 4, a*b*c, snake_case_name, **', '2 * 3 * 4, a*b*c, snake_case_name, **'],
  ])('of %j is %j', (markdown, words) => expect(withoutMarks(markdown)).toBe(words));
});
