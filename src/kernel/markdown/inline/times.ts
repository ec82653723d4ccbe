import { utcOf } from '../elements/time.ts';
import { element, text } from '../tree.ts';
import { syntax } from './context.ts';

const OPEN = '<time:';

/** `<time:…>` with an ISO 8601 date or date-time; anything else is shown as typed (protocol/markdown#times). */
export const times = syntax('<', (source, { stash }) => {
  let result = '';
  let done = 0;
  for (let start = source.indexOf(OPEN); start !== -1; start = source.indexOf(OPEN, start)) {
    const end = source.indexOf('>', start + OPEN.length);
    if (end === -1) break;
    const whole = source.slice(start, end + 1);
    const typed = stash.restore(source.slice(start + OPEN.length, end));
    const datetime = utcOf(typed);
    result += source.slice(done, start);
    if (typed === '') result += whole;
    else if (datetime === undefined) result += stash.put(text(`${OPEN}${typed}>`), whole);
    else result += stash.put(element('time', { datetime }, [text(typed)]), whole);
    done = start = end + 1;
  }
  return result + source.slice(done);
});
