import assert from 'node:assert/strict'
import test from 'node:test'
import { plainText } from '../../src/core/markup/plain-text.ts'
import { findReferences } from '../../src/core/markup/render/references.ts'
import { render } from '../../src/core/markup/render/render.ts'
import { findBreach } from './allow-list.ts'
import { context } from './context.ts'
import { generate } from './generate.ts'

const count = Number(process.env.FUZZ ?? 5000)
const seed = Number(process.env.SEED ?? 1)

test(`nothing outside the allow-list in ${count} generated messages`, () => {
  for (let i = 0; i < count; i++) {
    const content = generate(seed + i)
    const where = `seed ${seed + i}: ${JSON.stringify(content)}`
    const { html } = render(content, context)
    assert.equal(findBreach(html), undefined, where)
    assert.ok(html.length <= Math.max(10_000, content.length * 100), where)
    assert.ok(!plainText(html).includes('\0'), where)
    // All placeholders have been replaced.
    assert.doesNotMatch(html, /[\ufdd0\ufdd1]/, where)
    findReferences(content)
  }
})

test('the search for breaches finds them', () => {
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
