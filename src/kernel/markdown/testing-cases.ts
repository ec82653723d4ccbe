/** Texts and their HTML by subject; the names in them are those of `makeWorld`. */
export const renderCases: Readonly<Record<string, readonly (readonly [text: string, html: string])[]>> = {
  'lines and emphasis': [
    ['first\nsecond\n\nthird', '<p>first<br>\nsecond</p>\n<p>third</p>'],
    [
      'a **strong** and *soft* and ~~gone~~ word',
      '<p>a <strong>strong</strong> and <em>soft</em> and <del>gone</del> word</p>',
    ],
    ['***both at once***', '<p><strong><em>both at once</em></strong></p>'],
    ['snake_case_stays', '<p>snake_case_stays</p>'],
    ['**never closed', '<p>**never closed</p>'],
    ['two * three * four', '<p>two * three * four</p>'],
    ['`code <b>` and ``a ` tick``', '<p><code>code &lt;b&gt;</code> and <code>a ` tick</code></p>'],
    ['\\*a backslash is a backslash\\*', '<p>\\<em>a backslash is a backslash\\</em></p>'],
    ['', ''],
    [' \n ', ''],
  ],
  blocks: [
    ['# Title\ntext', '<h1>Title</h1>\n<p>text</p>'],
    ['- one\n- two\n  - inner', '<ul>\n<li>one</li>\n<li>two<ul>\n<li>inner</li>\n</ul>\n</li>\n</ul>'],
    ['3. three\n4. four', '<ol start="3">\n<li>three</li>\n<li>four</li>\n</ol>'],
    ['1) no list', '<p>1) no list</p>'],
    ['> said\n> more\n\nanswer', '<blockquote>\n<p>said<br>\nmore</p>\n</blockquote>\n<p>answer</p>'],
    ['> > deep', '<blockquote>\n<blockquote>\n<p>deep</p>\n</blockquote>\n</blockquote>'],
    ['---', '<hr>'],
    [
      'a | b\n:--- | ---:\n1 | 2',
      '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: right;">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: left;">1</td>\n<td style="text-align: right;">2</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['* star\n+ plus', '<ul>\n<li>star</li>\n<li>plus</li>\n</ul>'],
  ],
  code: [
    [
      '```python\nx = 1\n```',
      '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x = <span class="m">1</span>\n</code></pre></div>',
    ],
    ['```\n<plain>\n```', '<div class="codehilite"><pre><span></span><code>&lt;plain&gt;\n</code></pre></div>'],
    ['~~~~\n```\n~~~~', '<div class="codehilite"><pre><span></span><code>```\n</code></pre></div>'],
    ['```\nnever closed', '<div class="codehilite"><pre><span></span><code>never closed\n</code></pre></div>'],
    ['text\n```js', '<p>text<br>\n```js</p>'],
    ['~~~', '<p>~~~</p>'],
    ['```math\n\n', '<p>```math</p>'],
    ['~~~ quote\n```js', '<blockquote>\n<p>```js</p>\n</blockquote>'],
    ['```spoiler the *end*', '<p>```spoiler the <em>end</em></p>'],
    ['```\n```\nafter', '<p>after</p>'],
    ['    four spaces', '<div class="codehilite"><pre><span></span><code>four spaces\n</code></pre></div>'],
  ],
  'fences of other kinds': [
    [
      '``` spoiler Ending\nit *sinks*\n```',
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>Ending</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>it <em>sinks</em></p>\n</div></div>',
    ],
    [
      '``` spoiler\nno heading\n```',
      '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>no heading</p>\n</div></div>',
    ],
    ['```quote\nher words\n```', '<blockquote>\n<p>her words</p>\n</blockquote>'],
  ],
  mentions: [
    ['@**Max Member** hi', '<p><span class="user-mention" data-user-id="4">@Max Member</span> hi</p>'],
    ['@**Max Member|4**', '<p><span class="user-mention" data-user-id="4">@Max Member</span></p>'],
    ['@_**Max Member** hush', '<p><span class="user-mention silent" data-user-id="4">Max Member</span> hush</p>'],
    [
      '> @**Max Member** earlier',
      '<blockquote>\n<p><span class="user-mention silent" data-user-id="4">Max Member</span> earlier</p>\n</blockquote>',
    ],
    ['@**Nobody**', '<p>@<strong>Nobody</strong></p>'],
    ['@**Nobody|4**', '<p>@<strong>Nobody|4</strong></p>'],
    ['`@**Max Member**`', '<p><code>@**Max Member**</code></p>'],
    ['@**all** up', '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span> up</p>'],
    [
      '@**everyone** up',
      '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@everyone</span> up</p>',
    ],
    [
      '@_**all** hush',
      '<p><span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span> hush</p>',
    ],
    ['@**topic** up', '<p><span class="topic-mention">@topic</span> up</p>'],
    ['@*support* help', '<p><span class="user-group-mention" data-user-group-id="21">@support</span> help</p>'],
    ['@_*support* hush', '<p><span class="user-group-mention silent" data-user-group-id="21">support</span> hush</p>'],
    ['@*strangers*', '<p>@<em>strangers</em></p>'],
  ],
  'links to channels, topics and messages': [
    ['#**general**', '<p><a class="stream" data-stream-id="9" href="/#narrow/channel/9-general">#general</a></p>'],
    [
      '#**general>lunch plans**',
      '<p><a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-general/topic/lunch.20plans">#general &gt; lunch plans</a></p>',
    ],
    [
      '#**general>lunch@12**',
      '<p><a class="message-link" href="/#narrow/channel/9-general/topic/lunch/near/12">#general &gt; lunch @ 💬</a></p>',
    ],
    [
      '#**general>**',
      '<p><a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-general/topic/">#general &gt; <em>general chat</em></a></p>',
    ],
    ['#**nowhere**', '<p>#<strong>nowhere</strong></p>'],
    ['#general', '<p>#general</p>'],
  ],
  addresses: [
    [
      'see https://example.com/a_b?c=d.',
      '<p>see <a href="https://example.com/a_b?c=d">https://example.com/a_b?c=d</a>.</p>',
    ],
    [
      'www.example.com and me@example.com',
      '<p><a href="http://www.example.com">www.example.com</a> and <a href="mailto:me@example.com">me@example.com</a></p>',
    ],
    ...[...'。，、；：！？）」』】》”\u3000'].map(
      (end) =>
        [
          `（https://example.com/a${end}次`,
          `<p>（<a href="https://example.com/a">https://example.com/a</a>${end}次</p>`,
        ] as const,
    ),
    [
      '见 example.com。https://example.com，me@example.com！',
      '<p>见 <a href="http://example.com">example.com</a>。<a href="https://example.com">https://example.com</a>，<a href="mailto:me@example.com">me@example.com</a>！</p>',
    ],
    ['[text](https://example.com)', '<p><a href="https://example.com">text</a></p>'],
    ['[here](/local)', '<p><a href="/local">here</a></p>'],
    ['[bad](javascript:alert(1))', '<p>[bad](javascript:alert(1))</p>'],
    ['<https://example.com>', '<p>&lt;<a href="https://example.com">https://example.com</a>&gt;</p>'],
  ],
  'emoji and times': [
    [
      ':tada: and :unknown_one:',
      '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span> and :unknown_one:</p>',
    ],
    [
      '👍 as a character',
      '<p><span aria-label="+1" class="emoji emoji-1f44d" role="img" title="+1">:+1:</span> as a character</p>',
    ],
    ['<time:2026-03-01T12:00:00Z>', '<p><time datetime="2026-03-01T12:00:00Z">2026-03-01T12:00:00Z</time></p>'],
    ['<time:soon>', '<p>&lt;time:soon&gt;</p>'],
  ],
  'markup of others': [
    ['<script>alert(1)</script> & "q"', '<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; "q"</p>'],
    ['<b onclick=x>', '<p>&lt;b onclick=x&gt;</p>'],
    ['&copy; &lt;b&gt;', '<p>&copy; &lt;b&gt;</p>'],
  ],
};
