import type { Case } from './cases.ts'

export const codeCases: readonly Case[] = [
  ['code in a line', '`a`', '<p><code>a</code></p>'],
  ['code with markup', '`<b> *a* :smile:`', '<p><code>&lt;b&gt; *a* :smile:</code></p>'],
  ['code with a backtick', '`` a`b ``', '<p><code>a`b</code></p>'],
  ['an open backtick', '`a', '<p>`a</p>'],
  ['a mention in code', '`@**King Hamlet**`', '<p><code>@**King Hamlet**</code></p>'],
  ['code in strong', '**`a`**', '<p><strong><code>a</code></strong></p>'],
  ['a fence', '```\na\n```', '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>'],
  ['tildes', '~~~\na\n~~~', '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>'],
  ['an open fence', '```\na', '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>'],
  [
    'blank lines in a fence',
    '```\na\n\n\nb\n```',
    '<div class="codehilite"><pre><span></span><code>a\n\n\nb\n</code></pre></div>',
  ],
  ['an empty fence', '```\n```', '<div class="codehilite"><pre><span></span><code></code></pre></div>'],
  [
    'a fence after a line',
    'a\n```\nb\n```\nc',
    '<p>a</p>\n<div class="codehilite"><pre><span></span><code>b\n</code></pre></div>\n<p>c</p>',
  ],
  [
    'a long fence with a short one inside',
    '````\n```\na\n```\n````',
    '<div class="codehilite"><pre><span></span><code>```\na\n```\n</code></pre></div>',
  ],
  [
    'markup in a fence',
    '```\n<b> *a* @**King Hamlet** :smile: https://a.com\n```',
    '<div class="codehilite"><pre><span></span><code>&lt;b&gt; *a* @**King Hamlet** :smile: https://a.com\n</code></pre></div>',
  ],
  ['indented code', '    a\n    b', '<div class="codehilite"><pre><span></span><code>a\nb\n</code></pre></div>'],
  [
    'Python',
    '```python\ndef f(x):\n    return 1 # one\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">def</span> <span class="nf">f</span>(x):\n    <span class="k">return</span> <span class="mi">1</span> <span class="c1"># one</span>\n</code></pre></div>',
  ],
  [
    'JavaScript by its short name',
    '```js\nconst a = "b"\n```',
    '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="k">const</span> a = <span class="s">&quot;b&quot;</span>\n</code></pre></div>',
  ],
  [
    'in braces',
    '```{.python}\nx = 1\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x = <span class="mi">1</span>\n</code></pre></div>',
  ],
  [
    'with a dot',
    '```.py\nx = 1\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x = <span class="mi">1</span>\n</code></pre></div>',
  ],
  [
    'more words after the language',
    '```js linenos\n1\n```',
    '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="mi">1</span>\n</code></pre></div>',
  ],
  [
    'JSON',
    '```json\n{"a": [1, true]}\n```',
    '<div class="codehilite" data-code-language="JSON"><pre><span></span><code><span class="p">{</span><span class="na">&quot;a&quot;</span><span class="p">:</span> <span class="p">[</span><span class="mi">1</span><span class="p">,</span> <span class="k">true</span><span class="p">]</span><span class="p">}</span>\n</code></pre></div>',
  ],
  [
    'HTML',
    '```html\n<a href="b">c</a>\n```',
    '<div class="codehilite" data-code-language="HTML"><pre><span></span><code><span class="p">&lt;</span><span class="nt">a</span> <span class="na">href</span><span class="p">=</span><span class="s">&quot;b&quot;</span><span class="p">&gt;</span>c<span class="p">&lt;/</span><span class="nt">a</span><span class="p">&gt;</span>\n</code></pre></div>',
  ],
  [
    'a shell',
    '```bash\necho "$HOME"\n```',
    '<div class="codehilite" data-code-language="Bash"><pre><span></span><code><span class="nb">echo</span> <span class="s">&quot;</span><span class="nv">$HOME</span><span class="s">&quot;</span>\n</code></pre></div>',
  ],
  [
    'SQL',
    '```sql\nSELECT 1;\n```',
    '<div class="codehilite" data-code-language="SQL"><pre><span></span><code><span class="k">SELECT</span> <span class="mi">1</span>;\n</code></pre></div>',
  ],
  [
    'PostgreSQL',
    '```pgsql\nSELECT 1;\n```',
    '<div class="codehilite" data-code-language="PostgreSQL"><pre><span></span><code><span class="k">SELECT</span> <span class="mi">1</span>;\n</code></pre></div>',
  ],
  [
    'a diff',
    '```diff\n-a\n+b\n```',
    '<div class="codehilite" data-code-language="Diff"><pre><span></span><code><span class="gd">-a</span>\n<span class="gi">+b</span>\n</code></pre></div>',
  ],
  [
    'CSS',
    '```css\na { color: red; }\n```',
    '<div class="codehilite" data-code-language="CSS"><pre><span></span><code><span class="nt">a</span> { <span class="na">color</span>: red; }\n</code></pre></div>',
  ],
  [
    'C++',
    '```c++\nint a = 1;\n```',
    '<div class="codehilite" data-code-language="C++"><pre><span></span><code><span class="kt">int</span> a = <span class="mi">1</span>;\n</code></pre></div>',
  ],
  [
    'text',
    '```text\nclass a\n```',
    '<div class="codehilite" data-code-language="Text only"><pre><span></span><code>class a\n</code></pre></div>',
  ],
  [
    'an unknown language',
    '```nope\nclass <a>\n```',
    '<div class="codehilite" data-code-language="nope"><pre><span></span><code>class &lt;a&gt;\n</code></pre></div>',
  ],
  [
    'a name no language has',
    '```constructor\na\n```',
    '<div class="codehilite" data-code-language="constructor"><pre><span></span><code>a\n</code></pre></div>',
  ],
  [
    'an attribute cannot be left',
    '```"onclick="x\na\n```',
    '<div class="codehilite" data-code-language="&quot;onclick=&quot;x"><pre><span></span><code>a\n</code></pre></div>',
  ],
  [
    'a word too long for the highlighter',
    '```js\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1\n```',
    '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1\n</code></pre></div>',
  ],
]
