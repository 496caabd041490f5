import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { createApp } from '../../../src/http/index.ts'
import { bytesOf, upload } from '../../files/files.ts'
import { fixture, newest, withWebhook } from './receive.ts'

type Scene = Awaited<ReturnType<typeof withWebhook>>

async function call(
  { w }: Pick<Scene, 'w'>,
  method: string,
  path: string,
  body?: object | FormData,
  authorization?: string,
) {
  const isForm = body instanceof FormData
  const response = await createApp({ chat: w.chat, rateLimit: false }).fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...(authorization && { authorization }),
        ...(path.endsWith('/github') && { 'x-github-event': 'ping' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, ...(text.startsWith('{') ? JSON.parse(text) : { text }) }
}

test("takes the posts of Discord's webhooks at their addresses", async () => {
  const scene = await withWebhook({ default_sending_stream: 'general' })
  await using w = scene.w
  for (const prefix of ['/api', '/api/v10']) {
    const path = `${prefix}/webhooks/${scene.bot_id}/${scene.key}`
    const { status, text } = await call(scene, 'POST', path, {
      content: 'Alas',
      username: 'Yorick',
      thread_name: 'graves',
    })
    assert.deepEqual([status, text], [204, ''])
    const { place, content } = await newest(w)
    assert.deepEqual([place, content], ['general > graves', '**Yorick**\u200b: Alas'])
    const { deliveries } = await w.people.hamlet.api.get(`/bots/${scene.bot_id}/deliveries`)
    assert.deepEqual(JSON.parse(deliveries[0].payload), { username: 'Yorick', thread_name: 'graves', content: 'Alas' })
  }
  const path = `/api/webhooks/${scene.bot_id}/${scene.key}`
  const embed = {
    title: 'Build 4',
    url: 'https://example.com/4',
    description: '_Failed_ for <@5> in <#6> at <t:1700000000:R> <:skull:7> `<@8>`',
    author: { name: 'CI', url: 'https://example.com' },
    fields: [{ name: 'Branch', value: 'main @**all**', inline: true }],
    image: { url: 'https://example.com/a.png' },
    footer: { text: 'end' },
    timestamp: '2023-11-14T22:13:20Z',
  }
  const sent = await call(scene, 'POST', `${path}?wait=true&topic=builds`, { embeds: [embed] })
  assert.equal(sent.status, 200)
  const said = await newest(w)
  assert.equal(said.place, 'general > builds')
  assert.equal(
    said.content,
    [
      '*[CI](https://example.com)*',
      '**[Build 4](https://example.com/4)**',
      '*Failed* for @5 in #6 at <time:2023-11-14T22:13:20.000Z> :skull: `<@8>`',
      '**Branch**: main @\u200b**all**',
      '[image](https://example.com/a.png)',
      '*end* <time:2023-11-14T22:13:20.000Z>',
    ].join('\n'),
  )
  assert.equal(sent.content, said.content)
  const edited = await call(scene, 'PATCH', `${path}/messages/${sent.id}`, { content: '__Fixed__' })
  assert.deepEqual([edited.status, edited.content, (await newest(w)).content], [200, '**Fixed**', '**Fixed**'])
  const moderate = (action: string) =>
    w.people.iago.api.post(`/users/${w.people.hamlet.id}/moderate`, { actions: [action], minutes: 5, reason: 'x' })
  await moderate('silence')
  assert.equal((await call(scene, 'PATCH', `${path}/messages/${sent.id}`, { content: 'rude' })).status, 403)
  await moderate('end_silence')
  const { id, content: kept } = await call(scene, 'GET', `${path}/messages/${sent.id}`)
  assert.deepEqual([id, kept], [sent.id, '**Fixed**'])
  assert.equal((await call(scene, 'DELETE', `${path}/messages/${sent.id}`)).status, 204)
  assert.equal((await call(scene, 'GET', `${path}/messages/${sent.id}`)).status, 400)
  assert.equal((await call(scene, 'GET', path)).name, 'Grave')
  assert.equal((await call(scene, 'POST', `${path}/slack`, { text: 'from *Slack*' })).text, 'ok')
  assert.equal((await newest(w)).content, 'from **Slack**')
  assert.equal((await call(scene, 'POST', `${path}/github`, fixture('github/ping') as object)).status, 200)
  assert.match((await newest(w)).content, /^The webhook is set up/)
})

test('attaches several files of a Discord form, and stores none if the channel is missing', async () => {
  const scene = await withWebhook({ default_sending_stream: 'general' })
  await using w = scene.w
  const path = `/api/webhooks/${scene.bot_id}/${scene.key}`
  const formOf = (count: number) => {
    const form = new FormData()
    for (let i = 0; i < count; i++) form.set(`files[${i}]`, new File([bytesOf(`bones ${i}`)], `grave ${i}.txt`))
    return form
  }
  const storedFiles = () => storeOf(w.chat).db.selectFrom('file').select('name').orderBy('id').execute()
  assert.equal((await call(scene, 'POST', `${path}?stream=nowhere`, formOf(2))).status, 400)
  assert.deepEqual(await storedFiles(), [])
  const tooMany = await call(scene, 'POST', path, formOf(11))
  assert.deepEqual([tooMany.status, tooMany.msg], [400, 'Send at most 10 files at a time'])
  assert.equal((await call(scene, 'POST', path, formOf(2))).status, 204)
  const { content } = await newest(w)
  assert.match(content, /^\[grave 0\.txt\]\(.*\)\n\[grave 1\.txt\]\(.*\)$/)
  assert.equal((await storedFiles()).length, 2)
})

test('adds files to a Discord message, and removes those that an edit leaves out', async () => {
  const scene = await withWebhook({ default_sending_stream: 'general' })
  await using w = scene.w
  const path = `/api/webhooks/${scene.bot_id}/${scene.key}`
  const formOf = (payload: object, ...names: string[]) => {
    const form = new FormData()
    form.set('payload_json', JSON.stringify(payload))
    for (const [i, name] of names.entries()) form.set(`files[${i}]`, new File([bytesOf(name)], name))
    return form
  }
  const storedNames = async () =>
    (await storeOf(w.chat).db.selectFrom('file').select('name').orderBy('id').execute()).map(({ name }) => name)
  const namesOf = (message: { attachments: { filename: string }[] }) =>
    message.attachments.map(({ filename }) => filename)
  const sent = await call(scene, 'POST', `${path}?wait=true`, formOf({ content: 'Alas', username: 'Yorick' }, 'a.txt'))
  assert.deepEqual([sent.status, sent.content, namesOf(sent)], [200, 'Alas', ['a.txt']])
  assert.equal(sent.author.username, 'Yorick')
  const [first] = sent.attachments
  assert.deepEqual([first.size, first.url === first.proxy_url], [5, true])
  assert.match(first.url, /^http:\/\/localhost\/user_uploads\/.*a\.txt$/)
  const edit = (body: object | FormData) => call(scene, 'PATCH', `${path}/messages/${sent.id}`, body)

  // Files alone leave the text, and new ones come after those that the message has.
  const added = await edit(formOf({ attachments: [{ id: first.id }, { id: 0, filename: 'b.txt' }] }, 'b.txt', 'c.txt'))
  assert.deepEqual([added.status, added.content, namesOf(added)], [200, 'Alas', ['a.txt', 'b.txt', 'c.txt']])
  // A text alone leaves the files.
  const reworded = await edit({ content: 'Poor Yorick' })
  assert.deepEqual([reworded.content, namesOf(reworded)], ['Poor Yorick', ['a.txt', 'b.txt', 'c.txt']])
  assert.match(
    (await newest(w)).content,
    /^\*\*Yorick\*\*\u200b: Poor Yorick\n\[a\.txt\].*\n\[b\.txt\].*\n\[c\.txt\].*$/,
  )
  const less = await edit({ attachments: [{ id: added.attachments[1].id }] })
  assert.deepEqual([less.content, namesOf(less)], ['Poor Yorick', ['b.txt']])
  assert.deepEqual(await storedNames(), ['b.txt'])
  const read = await call(scene, 'GET', `${path}/messages/${sent.id}`)
  assert.deepEqual([read.content, namesOf(read)], ['Poor Yorick', ['b.txt']])

  const many = Array.from({ length: 10 }, (_, i) => `${i}.txt`)
  const refusals: [body: object | FormData, msg: string][] = [
    [formOf({}, ...many), 'A message can have at most 10 files'],
    [{ attachments: [{ id: first.id }] }, `The message has no attachment "${first.id}"`],
    [formOf({ attachments: [{ id: 1 }] }, 'd.txt'), 'The message has no attachment "1"'],
    [formOf({ attachments: [null] }, 'd.txt'), 'The message has no attachment ""'],
    [formOf({ attachments: 'all' }, 'd.txt'), 'attachments is not a list'],
    [{ content: '', attachments: [] }, 'Cannot send an empty message'],
  ]
  for (const [body, msg] of refusals) {
    const answer = await edit(body)
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  // What was rejected stored nothing, and removed nothing.
  assert.deepEqual(await storedNames(), ['b.txt'])
  const emptied = await edit({ content: 'No files', attachments: [] })
  assert.deepEqual([emptied.content, emptied.attachments, await storedNames()], ['No files', [], []])
})

test("takes only the bot's own files for attachments, and cuts long texts before them", async () => {
  const scene = await withWebhook({ default_sending_stream: 'general' })
  await using w = scene.w
  const path = `/api/webhooks/${scene.bot_id}/${scene.key}`
  const url = await upload(w.people.hamlet, bytesOf('mine'), 'mine.txt')
  const content = `See\n[mine.txt](${url})`
  const sent = await call(scene, 'POST', `${path}?wait=true`, { content })
  assert.deepEqual([sent.content, sent.attachments], [content, []])
  const form = new FormData()
  form.set('content', '\u{1f480}'.repeat(8000))
  form.set('files[0]', new File([bytesOf('bones')], 'bones.txt'))
  const long = await call(scene, 'POST', `${path}?wait=true`, form)
  assert.equal(long.attachments[0].filename, 'bones.txt')
  assert.match(long.content, /…$/)
})

test("attaches a file of a Discord form, and rejects what isn't the bot's", async () => {
  const scene = await withWebhook({ default_sending_stream: 'general' })
  await using w = scene.w
  const path = `/api/webhooks/${scene.bot_id}/${scene.key}`
  const form = new FormData()
  form.set('payload_json', JSON.stringify({ content: 'See' }))
  form.set('files[0]', new File([bytesOf('bones')], 'grave.txt'))
  assert.equal((await call(scene, 'POST', path, form)).status, 204)
  const { content } = await newest(w)
  assert.match(content, /^See\n\[grave\.txt\]\(.*\/user_uploads\/.*grave\.txt\)$/)
  const { id } = await w.people.hamlet.api.post('/messages', {
    type: 'stream',
    to: 'general',
    topic: 't',
    content: 'mine',
  })
  const cases: readonly [method: string, path: string, body: object | undefined, status: number, msg: string][] = [
    ['POST', path, {}, 400, 'Cannot send an empty message'],
    ['POST', `${path}?stream=nowhere`, { content: 'x' }, 400, "Stream 'nowhere' does not exist"],
    ['POST', `/api/webhooks/${scene.bot_id}/wrong`, { content: 'x' }, 401, 'Invalid API key'],
    ['POST', `/api/webhooks/${w.people.hamlet.id}/${scene.key}`, { content: 'x' }, 401, 'Invalid API key'],
    ['GET', `/api/webhooks/${w.people.hamlet.id}/${scene.key}`, undefined, 401, 'Invalid API key'],
    ['DELETE', `${path}/messages/${id}`, undefined, 400, 'Invalid message(s)'],
    ['PATCH', `${path}/messages/${id}`, { content: 'x' }, 400, 'Invalid message(s)'],
  ]
  for (const [method, where, body, status, msg] of cases) {
    const answer = await call(scene, method, where, body)
    assert.deepEqual([answer.status, answer.msg], [status, msg], `${method} ${where}`)
  }
  const { deliveries } = await w.people.hamlet.api.get(`/bots/${scene.bot_id}/deliveries`)
  assert.deepEqual(
    deliveries.map((delivery: { outcome: string }) => delivery.outcome),
    ['failed', 'failed', 'sent'],
  )
})

test("takes the posts of Slack's chat.postMessage with a bot's key as the token", async () => {
  const scene = await withWebhook()
  await using w = scene.w
  const bearer = `Bearer ${scene.key}`
  assert.equal((await call(scene, 'POST', '/api/auth.test', {}, bearer)).user, 'Grave')
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*Alas*' } }]
  const sent = await call(
    scene,
    'POST',
    '/api/chat.postMessage?topic=graves',
    { channel: '#general', text: 'x', blocks },
    bearer,
  )
  assert.deepEqual([sent.status, sent.ok, sent.channel], [200, true, 'general'])
  const { place, content } = await newest(w)
  assert.deepEqual([place, content], ['general > graves', '**Alas**'])
  const missing = await call(scene, 'POST', '/api/chat.postMessage', { channel: 'nowhere', text: 'x' }, bearer)
  assert.deepEqual([missing.status, missing.ok, missing.error], [200, false, 'channel_not_found'])
  const empty = await call(scene, 'POST', '/api/chat.postMessage', { channel: 'general' }, bearer)
  assert.deepEqual([empty.ok, empty.error], [false, 'no_text'])
  assert.equal((await call(scene, 'POST', '/api/chat.postMessage', { text: 'x' }, 'Bearer wrong')).status, 401)
})

test("takes tokens of Slack's methods among the parameters, as older clients send them", async () => {
  const scene = await withWebhook()
  await using w = scene.w
  const token = scene.key
  const sent = await call(scene, 'POST', '/api/chat.postMessage', { token, channel: 'general', text: 'Alas' })
  assert.deepEqual([sent.status, sent.ok], [200, true])
  assert.equal((await newest(w)).content, 'Alas')
  const form = new FormData()
  form.set('token', token)
  const { user, url } = await call(scene, 'POST', '/api/auth.test', form)
  assert.deepEqual([user, url], ['Grave', 'http://localhost/'])
  assert.equal((await call(scene, 'GET', `/api/auth.test?token=${token}`)).ok, true)
  for (const [given, error] of [
    [{}, 'not_authed'],
    [{ token: 'wrong' }, 'invalid_auth'],
  ] as const) {
    const answer = await call(scene, 'POST', '/api/chat.postMessage', { ...given, channel: 'general', text: 'x' })
    assert.deepEqual([answer.status, answer.ok, answer.error], [401, false, error])
  }
  assert.equal((await newest(w)).content, 'Alas')
})
