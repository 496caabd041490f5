import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { createApp } from '../../../src/http/index.ts'
import { newest, withWebhook } from './receive.ts'

const guide = readFileSync(new URL('../../../docs/guide/webhooks.md', import.meta.url), 'utf8')
const section = /### Try an address\n([\s\S]*?)\n### /.exec(guide)?.[1] ?? ''

/** The curl commands of the guide: address, headers and body. */
const recipes = [...section.matchAll(/```sh\ncurl ([\s\S]*?)```/g)].map(([, command = '']) => ({
  url: /^'([^']*)'/.exec(command)?.[1] ?? '',
  headers: [...command.matchAll(/-H '([^:]*): ([^']*)'/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ]),
  body: /-d '([^']*)'/.exec(command)?.[1] ?? '',
}))

const expected: readonly (readonly [place: string, text: RegExp])[] = [
  ['general > elsinore / main', /^yorick \[pushed\]/],
  ['general > elsinore / MR !4 Dig', /^Yorick merged \[MR !4\]/],
  ['general > DiskFull', /The disk of db:1 is full/],
  ['general > builds', /\*\*Build 7\*\* failed on \[main\]\(https:\/\/example\.com\/7\)/],
  ['general > backups', /^Backup finished\n\n\*\*db\*\*\n\*\*Size\*\*: 4 GB$/],
]

test("the guide's requests become messages", async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  assert.equal(recipes.length, expected.length)
  const app = createApp({ chat: w.chat })
  for (const [i, { url, headers, body }] of recipes.entries()) {
    const address = url
      .replace('https://chat.example.com', 'http://localhost')
      .replace('ID', String(bot_id))
      .replace('KEY', key)
    const response = await app.fetch(new Request(address, { method: 'POST', headers, body }))
    assert.equal(response.status, 200, `${url}: ${await response.text()}`)
    const { place, content } = await newest(w)
    const [where, text] = expected[i]!
    assert.equal(place, where)
    assert.match(content, text)
  }
})
