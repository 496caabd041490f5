import assert from 'node:assert/strict'
import test from 'node:test'
import { readTime } from '../../src/core/markup/inline/read-time.ts'
import { encodeHashComponent, narrowUrl } from '../../src/core/markup/narrow-link.ts'
import { plainText } from '../../src/core/markup/plain-text.ts'
import { render } from '../../src/core/markup/render/render.ts'
import { context } from './context.ts'

const plain: Record<string, string> = {
  '': '',
  'a *b* `c` ~~d~~': 'a b c d',
  'a\nb\n\nc': 'a\nb\nc',
  '1 < 2 & "3"': '1 < 2 & "3"',
  '&amp;lt;': '&lt;',
  ':tada: :parrot: 🐙': ':tada: :parrot: :octopus:',
  '@**Iago** #**design>a**': '@Iago #design > a',
  '[a](https://example.com)': 'a',
  '* a\n* b\n  * c': 'a\nb\nc',
  'so $$x^2$$ it is': 'so x^2 it is',
  '```math\nx < y\n```': 'x < y',
  '```py\nx = "<a>"\ny\n```': 'x = "<a>"\ny',
  '> a\n\nb': 'a\nb',
  '| a | b |\n|---|---|\n| 1 | 2 |': 'a b\n1 2',
  '```spoiler title\nsecret\n```': 'title\nsecret',
  '[a](/user_uploads/1/ab/c.png)': 'a',
  '<time:2026-01-01>': '2026-01-01',
}

for (const [content, text] of Object.entries(plain)) {
  test(`extracts the plain text of ${JSON.stringify(content)}`, () => {
    assert.equal(plainText(render(content, context).html), text)
  })
}

const times: Record<string, string | undefined> = {
  '2026-01-01T00:00:00Z': '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.123Z': '2026-01-01T00:00:00.123000Z',
  '2026-01-01T12:00': '2026-01-01T12:00:00Z',
  '2026-01-01 12:00-0800': '2026-01-01T20:00:00Z',
  '2026-01-01T12:00:00+01': '2026-01-01T11:00:00Z',
  '2026-01-01': '2026-01-01T00:00:00Z',
  '1700000000': '2023-11-14T22:13:20Z',
  '1700000000.5': '2023-11-14T22:13:20.500000Z',
  '5 January 2026': '2026-01-05T00:00:00Z',
  'Mon, 5 Jan 2026 10:00 GMT': '2026-01-05T10:00:00Z',
  'January 5, 2026 5pm': '2026-01-05T17:00:00Z',
  '5th of January 2026 at 5:30:15 PM': '2026-01-05T17:30:15Z',
  '5 January 2026 12am': '2026-01-05T00:00:00Z',
  '5 January 2026 12:10 pm': '2026-01-05T12:10:00Z',
  '1/5/2026': '2026-01-05T00:00:00Z',
  '31/5/2026': '2026-05-31T00:00:00Z',
  '2026/5/31 10:00 +0200': '2026-05-31T08:00:00Z',
  '5 Jan 2026 10:00 PST': '2026-01-05T18:00:00Z',
  '10:30': '2026-01-03T10:30:00Z',
  '5 January': '2026-01-05T00:00:00Z',
  'Monday 9am': '2026-01-05T09:00:00Z',
  '5 Jan 6 Feb 2026': undefined,
  '5 Jan 2026 13pm': undefined,
  '5 Jan 2026 pm': undefined,
  '31 February 2026': undefined,
  UTC: undefined,
  of: undefined,
  '0000-01-01': undefined,
  '999999999999': undefined,
  '2026-13-01': undefined,
  '2026-00-01': undefined,
  '2026-01-01T00:60': undefined,
  'Jan 45 2026': undefined,
  now: undefined,
  'room 1 a': undefined,
}

for (const [typed, moment] of Object.entries(times)) {
  test(`parses the time ${typed}`, () => assert.equal(readTime(typed, Date.UTC(2026, 0, 3)), moment))
}

test('rejects a time without a date when there is no reference day', () => {
  assert.equal(readTime('10:30'), undefined)
  assert.equal(readTime('5 January 2026'), '2026-01-05T00:00:00Z')
})

test('builds URLs of streams, topics and messages', () => {
  const stream = { id: 5, name: 'core team (new)' }
  assert.equal(narrowUrl(stream), '/#narrow/channel/5-core-team-.28new.29')
  assert.equal(narrowUrl(stream, 'a b'), '/#narrow/channel/5-core-team-.28new.29/topic/a.20b')
  assert.equal(narrowUrl(stream, 'a', { near: 7 }), '/#narrow/channel/5-core-team-.28new.29/topic/a/near/7')
  assert.equal(narrowUrl(stream, 'a', { with: 7 }), '/#narrow/channel/5-core-team-.28new.29/topic/a/with/7')
  assert.equal(encodeHashComponent('é/%.\ud800'), '.C3.A9.2F.25.2E.EF.BF.BD')
})
