import type { Case } from './cases.ts'

export const blocksCases: readonly Case[] = [
  ['a quote', '> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['a quote of two lines', '> a\n> b', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
  ['a quote that goes on', '> a\nb', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
  ['a quote and an answer', '> a\n\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
  ['a quote in a quote', '> a\n>> b', '<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>'],
  ['a quote after a line', 'a\n> b', '<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>'],
  [
    'a quote of code',
    '> ```\n> a\n> ```',
    '<blockquote>\n<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>\n</blockquote>',
  ],
  ['a quote of a list', '> * a\n> * b', '<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>'],
  ['a fenced quote', '```quote\na\n\nb\n```', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
  ['an empty fenced quote', '```quote\n```', '<blockquote></blockquote>'],
  ['an open fenced quote', '```quote\na', '<blockquote>\n<p>a</p>\n</blockquote>'],
  [
    'code in a fenced quote',
    '```quote\n```js\n1\n```\na\n```\nb',
    '<blockquote>\n<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="mi">1</span>\n</code></pre></div>\n<p>a</p>\n</blockquote>\n<p>b</p>',
  ],
  [
    'a fenced quote in a fenced quote',
    '```quote\n```quote\na\n```\nb\n```',
    '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>\n</blockquote>',
  ],
  ['a tilde quote', '~~~quote\na\n~~~', '<blockquote>\n<p>a</p>\n</blockquote>'],
  [
    'a quote in a longer fence',
    '````quote\n```\na\n```\n````',
    '<blockquote>\n<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>\n</blockquote>',
  ],
  [
    'a fenced quote in a list',
    '* a\n  ```quote\n  b\n  ```',
    '<ul>\n<li>a\n<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n</ul>',
  ],
  ['an answer right after a fenced quote', '```quote\na\n```\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
  [
    'a mention in a quote is silent',
    '> @**King Hamlet** @*backend* @**all** @**topic**',
    '<blockquote>\n<p><span class="user-mention silent" data-user-id="7">King Hamlet</span> <span class="user-group-mention silent" data-user-group-id="3">backend</span> <span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span> <span class="topic-mention silent">topic</span></p>\n</blockquote>',
  ],
  [
    'a mention in a fenced quote is silent',
    '```quote\n@**King Hamlet**\n```',
    '<blockquote>\n<p><span class="user-mention silent" data-user-id="7">King Hamlet</span></p>\n</blockquote>',
  ],
  [
    'a spoiler',
    '```spoiler title\na\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>title</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>a</p>\n</div></div>',
  ],
  [
    'a spoiler without a title',
    '```spoiler\na\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>a</p>\n</div></div>',
  ],
  [
    'an empty spoiler',
    '```spoiler\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n</div></div>',
  ],
  [
    'markup in a title',
    '```spoiler *a* :smile: <b>\nb\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p><em>a</em> <span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span> &lt;b&gt;</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>b</p>\n</div></div>',
  ],
  [
    'a bare fence closes a spoiler',
    '```spoiler a\nb\n```\nc',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>b</p>\n</div></div>\n<p>c</p>',
  ],
  [
    'code in a spoiler',
    '```spoiler a\n```js\n1\n```\nc\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="mi">1</span>\n</code></pre></div>\n<p>c</p>\n</div></div>',
  ],
  [
    'a quote in a spoiler',
    '```spoiler a\n```quote\nb\n```\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<blockquote>\n<p>b</p>\n</blockquote>\n</div></div>',
  ],
  [
    'a mention in a spoiler counts',
    '```spoiler\n@**King Hamlet**\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p><span class="user-mention" data-user-id="7">@King Hamlet</span></p>\n</div></div>',
  ],
  [
    'a table',
    'a | b\n--|--\n1 | 2',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a table with outer bars',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'alignment',
    'a|b|c\n:-|:-:|-:\n1|2|3',
    '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: center;">b</th>\n<th style="text-align: right;">c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: left;">1</td>\n<td style="text-align: center;">2</td>\n<td style="text-align: right;">3</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'missing cells',
    'a|b\n-|-\n1',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'too many cells',
    'a|b\n-|-\n1|2|3',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a bar in a cell',
    'a|b\n-|-\n1\\|2|3',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1|2</td>\n<td>3</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'markup in cells',
    'a|b\n-|-\n*1*|@**King Hamlet**',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><em>1</em></td>\n<td><span class="user-mention" data-user-id="7">@King Hamlet</span></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a table after a line',
    'x\na|b\n-|-\n1|2',
    '<p>x</p>\n<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  ['a head alone', 'a|b\n-|-', '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n</table>'],
  ['no delimiter row', 'a|b\n1|2', '<p>a|b<br>\n1|2</p>'],
  [
    'a table in a quote',
    '> a|b\n> -|-\n> 1|2',
    '<blockquote>\n<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n</blockquote>',
  ],
]
