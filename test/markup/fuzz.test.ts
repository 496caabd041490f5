import assert from 'node:assert/strict'
import test from 'node:test'
import { plainText } from '../../src/core/markup/plain-text.ts'
import { findReferences } from '../../src/core/markup/render/references.ts'
import { render } from '../../src/core/markup/render/render.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { rounds } from '../rounds.ts'
import { findBreach } from './allow-list.ts'
import { context } from './context.ts'
import { generate } from './generate.ts'

const count = rounds({ short: 1000, full: 5000, variable: 'FUZZ' })
const onText = onlyOnSqlite('renders text, and no database')
const seed = Number(process.env.SEED ?? 1)

test(`outputs nothing outside the allow-list for ${count} generated messages`, onText, (t) => {
  t.diagnostic(`seed ${seed}, ${count} messages`)
  for (let i = 0; i < count; i++) {
    const content = generate(seed + i)
    const where = `seed ${seed + i}: ${JSON.stringify(content)}`
    const { html } = render(content, context)
    assert.equal(findBreach(html), undefined, where)
    assert.ok(html.length <= Math.max(10_000, content.length * 100), where)
    assert.ok(!plainText(html).includes('\0'), where)
    // All placeholders have been replaced.
    assert.doesNotMatch(html, /[\x81\x8d]/, where)
  }
})

test(`references cover every lookup while rendering ${count} generated messages`, onText, () => {
  for (let i = 0; i < count; i++) {
    const content = generate(seed + i)
    const { userNames, groupNames, streamNames, emojiNames } = findReferences(content)
    const known = { users: userNames, groups: groupNames, streams: streamNames, customEmoji: emojiNames }
    for (const [kind, names] of Object.entries(lookedUp(content))) {
      const missing = [...names].filter((name) => !known[kind as keyof typeof known].includes(name))
      assert.deepEqual(missing, [], `${kind} of seed ${seed + i}: ${JSON.stringify(content)}`)
    }
  }
})

/** Returns the names that rendering looks up, without finding any. */
function lookedUp(content: string) {
  const recording = () => {
    const names = new Set<string>()
    const map = new Map<string, never>()
    map.get = (name) => void names.add(name)
    return { names, map }
  }
  const [users, groups, streams, customEmoji] = [recording(), recording(), recording(), recording()]
  render(content, {
    ...context,
    users: users.map,
    groups: groups.map,
    streams: streams.map,
    customEmoji: customEmoji.map,
  })
  return { users: users.names, groups: groups.names, streams: streams.names, customEmoji: customEmoji.names }
}

test('the check detects violations', () => {
  for (const html of [
    '<script>x</script>',
    '<p onclick="x">',
    '<a href="javascript:x">a</a>',
    '<a href="java\nscript:x">a</a>',
    '<a href="//evil.com">a</a>',
    '<img class="emoji" src="data:x">',
    '<p style="color:red">',
    '<span style="background:url(x)">a</span>',
    '<p>a',
    '<b><i></b></i>',
    '<a href="/a"><a href="/b">c</a></a>',
    '<iframe></iframe>',
  ]) {
    assert.ok(findBreach(html), html)
  }
})
