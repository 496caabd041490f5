import type { Case } from './cases.ts'

export const codeCases: readonly Case[] = [
  ['code in a line', '`a`', '<p><code>a</code></p>'],
  ['code with markup', '`<b> *a* :smile:`', '<p><code>&lt;b&gt; *a* :smile:</code></p>'],
  ['code with a backtick', '`` a`b ``', '<p><code> a`b </code></p>'],
  ['blanks in code', '`  a  `', '<p><code>  a  </code></p>'],
  ['code over two lines', '`a\nb`', '<p><code>a\nb</code></p>'],
  ['a backslash before code', '\\`a`', '<p>\\`a`</p>'],
  ['other backticks', '``a` b', '<p>``a` b</p>'],
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
  ['an empty fence', 'a\n```\n```\nb', '<p>a<br>\nb</p>'],
  [
    'quotation marks without a language',
    '```\n"a" \'b\'\n```',
    '<div class="codehilite"><pre><span></span><code>&quot;a&quot; &#39;b&#39;\n</code></pre></div>',
  ],
  [
    'quotation marks with a language',
    '```text\n"a" \'b\'\n```',
    '<div class="codehilite" data-code-language="Text only"><pre><span></span><code>"a" \'b\'\n</code></pre></div>',
  ],
  [
    'blanks at the ends of lines',
    '```\n\na  \n\nb \n\n```',
    '<div class="codehilite"><pre><span></span><code>a\n\nb\n</code></pre></div>',
  ],
  [
    'only the same fence closes',
    '````\na\n```\n`````\nb\n````\nc',
    '<div class="codehilite"><pre><span></span><code>a\n```\n`````\nb\n</code></pre></div>\n<p>c</p>',
  ],
  ['a fence with more than a language', '```js {1}~\na', '<p>```js {1}~<br>\na</p>'],
  ['a fence in a line of its own', '   ```\n   a\n   ```', '<p><code>\n   a\n   </code></p>'],
  [
    'indented code with a blank line',
    '    a\n\n      b\n\n\n    c\nd',
    '<div class="codehilite"><pre><span></span><code>a\n\n  b\n\n\nc\n</code></pre></div>\n<p>d</p>',
  ],
  [
    'a program named in the first line',
    '```\n#!/usr/bin/env python\nx\n```',
    '<div class="codehilite"><pre><span></span><code><span class="ch">#!/usr/bin/env python</span>\n<span class="n">x</span>\n</code></pre></div>',
  ],
  [
    'a language named in the first line',
    '```\n:::python\nx\n```',
    '<div class="codehilite"><pre><span></span><code><span class="p">:::</span><span class="n">python</span>\n<span class="n">x</span>\n</code></pre></div>',
  ],
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
    '```python\ndef f(x):\n    return 1.5 # one\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">def</span> <span class="nf">f</span><span class="p">(</span><span class="n">x</span><span class="p">):</span>\n    <span class="k">return</span> <span class="mf">1.5</span> <span class="c1"># one</span>\n</code></pre></div>',
  ],
  [
    'a class in Python',
    '```py\nfrom a import b\n\n@c\nclass D(E):\n    def __init__(self): raise ValueError("x")\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="kn">from</span> <span class="n">a</span> <span class="kn">import</span> <span class="n">b</span>\n\n<span class="nd">@c</span>\n<span class="k">class</span> <span class="nc">D</span><span class="p">(</span><span class="n">E</span><span class="p">):</span>\n    <span class="k">def</span> <span class="fm">__init__</span><span class="p">(</span><span class="bp">self</span><span class="p">):</span> <span class="k">raise</span> <span class="ne">ValueError</span><span class="p">(</span><span class="s2">"x"</span><span class="p">)</span>\n</code></pre></div>',
  ],
  [
    'JavaScript by its short name',
    '```js\nconst a = "b" + `c`; f(1)\n```',
    '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="kd">const</span> <span class="nx">a</span> <span class="o">=</span> <span class="s2">"b"</span> <span class="o">+</span> <span class="sb">`c`</span><span class="p">;</span> <span class="nx">f</span><span class="p">(</span><span class="mf">1</span><span class="p">)</span>\n</code></pre></div>',
  ],
  [
    'TypeScript',
    '```ts\ntype A = { b?: string }\n```',
    '<div class="codehilite" data-code-language="TypeScript"><pre><span></span><code><span class="kr">type</span> <span class="nx">A</span> <span class="o">=</span> <span class="p">{</span> <span class="nx">b</span><span class="o">?:</span> <span class="kt">string</span> <span class="p">}</span>\n</code></pre></div>',
  ],
  [
    'in braces',
    '```{.python}\nx = 1\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="n">x</span> <span class="o">=</span> <span class="mi">1</span>\n</code></pre></div>',
  ],
  [
    'with a dot',
    '```.py\nx = 1\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="n">x</span> <span class="o">=</span> <span class="mi">1</span>\n</code></pre></div>',
  ],
  [
    'in capitals',
    '```PYTHON\nx\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="n">x</span>\n</code></pre></div>',
  ],
  [
    'more words after the language',
    '```js linenos\n1\n```',
    '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="mf">1</span>\n</code></pre></div>',
  ],
  [
    'JSON',
    '```json\n{"a": [1, true]}\n```',
    '<div class="codehilite" data-code-language="JSON"><pre><span></span><code><span class="p">{</span><span class="nt">"a"</span><span class="p">:</span> <span class="p">[</span><span class="mi">1</span><span class="p">,</span> <span class="kc">true</span><span class="p">]}</span>\n</code></pre></div>',
  ],
  [
    'HTML',
    '```html\n<a href="b">c</a>\n```',
    '<div class="codehilite" data-code-language="HTML"><pre><span></span><code><span class="p">&lt;</span><span class="nt">a</span> <span class="na">href</span><span class="p">=</span><span class="s">"b"</span><span class="p">&gt;</span>c<span class="p">&lt;/</span><span class="nt">a</span><span class="p">&gt;</span>\n</code></pre></div>',
  ],
  [
    'a shell',
    '```bash\necho "$HOME" | cat\n```',
    '<div class="codehilite" data-code-language="Bash"><pre><span></span><code><span class="nb">echo</span> <span class="s2">"</span><span class="nv">$HOME</span><span class="s2">"</span> <span class="p">|</span> <span class="nb">cat</span>\n</code></pre></div>',
  ],
  [
    'SQL',
    "```sql\nSELECT a FROM b WHERE c = 'd';\n```",
    '<div class="codehilite" data-code-language="SQL"><pre><span></span><code><span class="k">SELECT</span> <span class="n">a</span> <span class="k">FROM</span> <span class="n">b</span> <span class="k">WHERE</span> <span class="n">c</span> <span class="o">=</span> <span class="s1">\'d\'</span><span class="p">;</span>\n</code></pre></div>',
  ],
  [
    'PostgreSQL',
    '```postgresql\nSELECT 1;\n```',
    '<div class="codehilite" data-code-language="PostgreSQL SQL dialect"><pre><span></span><code><span class="k">SELECT</span> <span class="mi">1</span><span class="p">;</span>\n</code></pre></div>',
  ],
  [
    'PHP without its tag',
    '```css+php\n$a = f($b);\n```',
    '<div class="codehilite" data-code-language="CSS+PHP"><pre><span></span><code><span class="nv">$a</span> <span class="o">=</span> <span class="nf">f</span><span class="p">(</span><span class="nv">$b</span><span class="p">);</span>\n</code></pre></div>',
  ],
  [
    'a diff',
    '```diff\n-a\n+b\n```',
    '<div class="codehilite" data-code-language="Diff"><pre><span></span><code><span class="gd">-a</span>\n<span class="gi">+b</span>\n</code></pre></div>',
  ],
  [
    'CSS',
    '```css\na { color: red; }\n```',
    '<div class="codehilite" data-code-language="CSS"><pre><span></span><code><span class="nt">a</span> <span class="p">{</span> <span class="k">color</span><span class="p">:</span> red<span class="p">;</span> <span class="p">}</span>\n</code></pre></div>',
  ],
  [
    'C++',
    '```c++\nint a = 1; /* b */\n```',
    '<div class="codehilite" data-code-language="C++"><pre><span></span><code><span class="kt">int</span> <span class="n">a</span> <span class="o">=</span> <span class="mi">1</span><span class="p">;</span> <span class="cm">/* b */</span>\n</code></pre></div>',
  ],
  [
    'Java',
    '```java\npublic class A { int b; }\n```',
    '<div class="codehilite" data-code-language="Java"><pre><span></span><code><span class="kd">public</span> <span class="kd">class</span> <span class="nc">A</span> <span class="p">{</span> <span class="kt">int</span> <span class="n">b</span><span class="p">;</span> <span class="p">}</span>\n</code></pre></div>',
  ],
  [
    'TeX',
    '```tex\n\\pi {x}\n```',
    '<div class="codehilite" data-code-language="TeX"><pre><span></span><code><span class="k">\\pi</span> <span class="nb">{</span>x<span class="nb">}</span>\n</code></pre></div>',
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
    'a language without a grammar',
    '```apl\nx\n```',
    '<div class="codehilite" data-code-language="APL"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    'a name no language has',
    '```constructor\na\n```',
    '<div class="codehilite" data-code-language="constructor"><pre><span></span><code>a\n</code></pre></div>',
  ],
  ['no attribute can be left', '```"onclick="x\na\n```', '<p>```"onclick="x<br>\na</p>'],
  [
    'a word too long for the highlighter',
    '```js\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1\n```',
    '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1\n</code></pre></div>',
  ],
]
