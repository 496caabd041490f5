import assert from 'node:assert/strict'
import test from 'node:test'
import { findReferences } from '../../src/core/markup/render/references.ts'

const none = { userNames: [], userIds: [], groupNames: [], streamNames: [], topics: [], emojiNames: [] }

const found: Record<string, object> = {
  hello: {},
  '@**Iago**': { userNames: ['iago'] },
  '@_**King Hamlet**': { userNames: ['king hamlet'] },
  '@**Iago|5**': { userNames: ['iago'], userIds: [5] },
  '@**|5**': { userIds: [5] },
  '@**all** @**topic**': {},
  '@*backend*': { groupNames: ['backend'] },
  '#**design**': { streamNames: ['design'] },
  '#**Design>Plans**': { streamNames: ['design>plans', 'design'], topics: ['design>Plans'] },
  '#**design>plans@3**': { streamNames: ['design>plans@3', 'design'] },
  '#**design** #**design>**': { streamNames: ['design', 'design>'], topics: ['design>'] },
  ':smile: :parrot:': { emojiNames: ['smile', 'parrot'] },
  '12:30:45': { emojiNames: ['30'] },
  // What is in code is among them.
  '`@**Iago**` `:parrot:`': { userNames: ['iago'], emojiNames: ['parrot'] },
  '`@**` @**Iago** `@*` @*cooks*': { userNames: ['` @', 'iago'], groupNames: ['` @', 'cooks'] },
  'a:b:parrot:': { emojiNames: ['b', 'parrot'] },
  'a|b\n-|-\n@**Iago\\|5**|#**a\\|b**': { userNames: ['iago\\'], userIds: [5], streamNames: ['a\\|b', 'a|b'] },
  '> @**Iago**\n\n* #**design**\n\n# :parrot:': {
    userNames: ['iago'],
    streamNames: ['design'],
    emojiNames: ['parrot'],
  },
  '```spoiler @**Iago**\n:parrot:\n```': { userNames: ['iago'], emojiNames: ['parrot'] },
  '[:parrot:](https://example.com)': { emojiNames: ['parrot'] },
  'a|b\n-|-\n@**Iago**|:parrot:': { userNames: ['iago'], emojiNames: ['parrot'] },
}

for (const [content, expected] of Object.entries(found)) {
  test(`collects the references of ${JSON.stringify(content)}`, () => {
    const references = findReferences(content)
    references.emojiNames.sort()
    assert.deepEqual(references, { ...none, ...expected, ...sortedEmoji(expected) })
  })
}

function sortedEmoji(expected: object) {
  return 'emojiNames' in expected ? { emojiNames: (expected.emojiNames as string[]).toSorted() } : {}
}
