/** A small generator of numbers in [0, 1), repeatable by its seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Pieces of valid and broken syntax, and known attacks on other renderers. */
const pieces: readonly string[] = [
  ...'*_~`$@#:<>!|\\&-+=.,\'"{}[]()^%/?; \n\t1a'.split(''),
  ...[
    '**',
    '***',
    '~~',
    '``',
    '```',
    '~~~',
    '````',
    '$$',
    '@**',
    '@_**',
    '@*',
    '#**',
    '](',
    '](<',
    '> ',
    '>> ',
    '\n\n',
  ],
  ...['* ', '- ', '1. ', '  - ', '    ', '# ', '---\n', '|', '|-|-|\n', 'a|b\n-|-\n', '```quote\n', '```spoiler x\n'],
  ...[
    '```math\n',
    '```js\n',
    '```html\n',
    '```diff\n',
    '```\n',
    '~~~quote\n',
    '{.python}',
    '/me ',
    '\r\n',
    '\u0000',
    '\ufeff',
    '\x81',
    '\x8d',
    '\x810\x8d',
    '```spoiler\n',
    '  ```\n',
    '  * ',
    '> ```\n',
  ],
  ...[
    '@**Iago**',
    '@**King Hamlet|9**',
    '@**|7**',
    '@_**Iago**',
    '@**all**',
    '@**topic**',
    '@*backend*',
    '@**Ana <b>**',
  ],
  ...[
    '#**design**',
    '#**design>a**',
    '#**design>a"b<c@12**',
    '#**core (new) & 1.5%**',
    '#**design>**',
    '#12',
    'T-1/a',
    'bad-1',
  ],
  ...[
    ':smile:',
    ':parrot:',
    ':zulip:',
    ':+1:',
    ':)',
    '<3',
    '🐙',
    '👩‍💻',
    '👍🏽',
    '🇫🇷',
    '❤️',
    '\ud83d',
    '\udc19',
    '日本',
    'é',
    '\u202e',
  ],
  ...['<time:2026-01-01>', '<time:', '<time:"x">', 'https://example.com/', 'http://', 'example.com', 'me@example.com'],
  ...[
    'https://chat.example.com/#narrow/x',
    '/user_uploads/1/ab/c.png',
    '[a](/user_uploads/1/ab/c.png)',
    '[a](https://a.com)',
  ],
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:',
    'java&#10;script:x',
    'java\tscript:x',
    'data:text/html,x',
    '[](#&#x81;0&#x8d;)',
    'vbscript:x',
    '//evil.com',
  ],
  ...[
    '<script>',
    '</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="',
    '" onmouseover="x',
    "' onclick='x",
    '<!--',
    '-->',
  ],
  ...[
    '<svg/onload=x>',
    '<iframe>',
    '<style>',
    '<![CDATA[',
    '<?php',
    '&lt;',
    '&#60;',
    '&quot;',
    '&#x6A;',
    '&amp;',
    '&NewLine;',
  ],
  ...[
    '</p>',
    '</div>',
    '</span>',
    '</code>',
    '</a>',
    'onerror=',
    'style="x"',
    '<b',
    '</',
    'xmpp:',
    'tel:',
    'mailto:',
    'ftp:',
  ],
  ...[
    '\\frac{',
    '\\sqrt{x}',
    '}',
    '^2',
    '\\href{javascript:x}{y}',
    '\\htmlStyle{x}{y}',
    '\\color{red}',
    '\\text{<b>}',
    '\\url{x}',
  ],
  ...[
    '\\unicode{x}',
    '\\def\\a{\\a}',
    '\\rule{9em}{9em}',
    '\\begin{matrix}',
    '\\end{matrix}',
    '&',
    '\\\\',
    '\\colorbox{#fff}{x}',
  ],
  ...[
    '\\tag{1}',
    '\\overbrace{x}',
    '\\mathbb{R}',
    '\\left(',
    '\\right)',
    '\\cancel{x}',
    '\\includegraphics{x}',
    '\\hat x',
    '\\boxed{x}',
  ],
]

/** Ways of wrapping a text. */
const around: readonly ((inside: string) => string)[] = [
  (inside) => `**${inside}**`,
  (inside) => `*${inside}*`,
  (inside) => `~~${inside}~~`,
  (inside) => `\`${inside}\``,
  (inside) => `[${inside}](${inside})`,
  (inside) => `[a](${inside})`,
  (inside) => `[a](<${inside}> "${inside}")`,
  (inside) => `<${inside}>`,
  (inside) => `$$${inside}$$`,
  (inside) => `\`\`\`math\n${inside}\n\`\`\``,
  (inside) => `\`\`\`${inside}\n${inside}\n\`\`\``,
  (inside) => `\`\`\`python\n${inside}\n\`\`\``,
  (inside) => `\`\`\`quote\n${inside}\n\`\`\``,
  (inside) => `\`\`\`spoiler ${inside}\n${inside}\n\`\`\``,
  (inside) => inside.replace(/^/gm, '> '),
  (inside) => inside.replace(/^/gm, '- '),
  (inside) => inside.replace(/^/gm, '1. '),
  (inside) => inside.replace(/^/gm, '  '),
  (inside) => `# ${inside}`,
  (inside) => `| a | b |\n|---|---|\n| ${inside} | b |`,
  (inside) => `<time:${inside}>`,
  (inside) => `@**${inside}**`,
  (inside) => `#**design>${inside}**`,
  (inside) => `:${inside}:`,
  (inside) => `https://example.com/${inside}`,
]

/** A message made of pieces of syntax, repeatable by its seed. */
export function generate(seed: number): string {
  const random = randomFrom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  let text = ''
  for (let parts = 1 + below(6); parts > 0; parts--) {
    let part = ''
    for (let length = 1 + below(7); length > 0; length--) part += pieces[below(pieces.length)]
    for (let depth = below(4); depth > 0; depth--) part = around[below(around.length)]!(part)
    // Each wrapper may double its inside.
    text += part.slice(0, 2000) + ['', ' ', '\n', '\n\n'][below(4)]
  }
  return text
}
