import assert from 'node:assert/strict'
import test from 'node:test'
import { fixture, newest, post, withWebhook } from './receive.ts'

test("answers Slack's incoming webhooks with ok for JSON, forms and Mattermost's path", async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const json = fixture('slack/text')
  for (const [path, sent] of [
    ['slack_incoming', { json }],
    ['slack_incoming', { form: { payload: JSON.stringify(json) } }],
    ['mattermost', { json }],
  ] as const) {
    const { status, text, type } = await post(w, `${path}?api_key=${key}`, sent)
    assert.deepEqual([status, text, type], [200, 'ok', 'text/plain; charset=utf-8'])
    const { place, content } = await newest(w)
    assert.equal(place, 'general > general chat')
    assert.equal(content, '**grave**: **Alas**, poor [Yorick](https://example.com/y) & ~~friends~~ @here `*code*`')
  }
})

test('renders blocks and attachments, and takes the channel as topic when a stream is given', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const path = `slack_incoming?api_key=${key}&stream=general`
  await post(w, path, { json: fixture('slack/blocks') })
  assert.equal((await newest(w)).content, '## Deploy\n\n**Done**\none\ntwo\n\n----\n\nby *us* [a](https://x.com/a.png)')
  await post(w, path, { json: { ...(fixture('slack/attachment') as object), channel: '#builds' } })
  assert.deepEqual(await newest(w), {
    place: 'general > builds',
    content: 'Build\n**[Number 4](https://ci.example.com/4)**\nfailed\n**Branch**: main\n*CI*',
    sender_full_name: 'Grave',
  })
})

test('maps a Slack channel to the stream of its name and names the user of a slash command', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const form = { channel_name: 'general', user_name: 'ann', text: 'hello <@U1|bob>', token: 'x', team_id: 'T1' }
  assert.equal((await post(w, `slack?api_key=${key}`, { form })).text, 'ok')
  assert.deepEqual(
    [(await newest(w)).place, (await newest(w)).content],
    ['general > general chat', '**ann**: hello @bob'],
  )
  const command = { ...form, channel_name: 'ops', command: '/deploy', text: 'now' }
  assert.equal((await post(w, `slack?api_key=${key}&stream=general`, { form: command })).text, 'ok')
  assert.deepEqual([(await newest(w)).place, (await newest(w)).content], ['general > ops', '**ann** `/deploy` now'])
})

test('explains empty payloads and mentions nobody for outsiders', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const path = `slack_incoming?api_key=${key}&stream=general`
  assert.equal((await post(w, path, { json: {} })).msg, 'The payload has no text, no blocks and no attachments')
  assert.equal((await post(w, path, { json: { text: '@**all** @**hamlet**' } })).status, 200)
  const { messages } = await w.people.hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.deepEqual(messages[0].flags, [])
})
