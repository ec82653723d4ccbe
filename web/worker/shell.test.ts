import { describe, expect, it } from 'vitest';
import { filesIn, pageToKeep } from './shell.ts';

const PAGE = `<meta name="csrf-token" content="abc123"><meta name="account" content="1-7">
<meta name="sheets" content="{&quot;settings&quot;:&quot;settings-ABCD2345.css&quot;}">
<link rel="stylesheet" href="/web/main-AAAA2222.css"><script type="module" src="/web/main-BBBB3333.js"></script>`;

describe('the page that a browser keeps', () => {
  it('has no token of the session, and says whose it is', () => {
    expect(pageToKeep(PAGE)).not.toContain('abc123');
    expect(pageToKeep(PAGE)).toContain('content="1-7"');
  });

  it('is not kept for somebody who is not logged in', () => {
    expect(pageToKeep(PAGE.replace(/<meta name="account"[^>]*>/, ''))).toBeUndefined();
  });

  it('names its files, and its scripts those that they load', () => {
    expect(new Set(filesIn(PAGE))).toEqual(
      new Set(['/web/settings-ABCD2345.css', '/web/main-AAAA2222.css', '/web/main-BBBB3333.js']),
    );
    expect(filesIn('import("/web/lists-CCCC4444.js")')).toEqual(['/web/lists-CCCC4444.js']);
    expect(filesIn('fetch("/api/v1/web/x.js")')).toEqual([]);
  });
});
