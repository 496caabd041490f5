import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf, type Person, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'

const REFUSED = "Your text contains something that isn't allowed here. Change it, or ask a moderator."

/** iago is the owner, cordelia a moderator. */
async function scene() {
  const w = await world({ people: ['ann', 'ben'] })
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  const filter = async (params: object) => {
    const answer = await w.iago.api.post('/content_filters', { kind: 'word', action: 'refuse', ...params })
    assert.equal(answer.msg, '')
    return answer.id as number
  }
  const test = async (content: string) => {
    const answer = await w.iago.api.get('/content_filters', { content })
    return answer.content_filters.map(({ pattern }: { pattern: string }) => pattern)
  }
  return { w, filter, test }
}

interface Reason {
  type: string
  description: string
}

const send = (who: Pick<Person, 'api'>, content: string, topic = 'x') =>
  who.api.post('/messages', { type: 'stream', to: 'general', topic, content })

test('matches whole words without regard to case, marks, invisible letters and look-alikes', async () => {
  const { w, filter, test } = await scene()
  await using _ = w.chat
  for (const pattern of ['spam', 'free money', '$$$', 'スパム', 'Straße']) await filter({ pattern })
  const matching: Record<string, string[]> = {
    spam: ['spam'],
    'SPAM!': ['spam'],
    'no,spam.': ['spam'],
    ｓｐａｍ: ['spam'],
    'sp\u00adam': ['spam'],
    'sp\u200bam': ['spam'],
    'sp**a**m': ['spam'],
    // With Cyrillic letters.
    'sp\u0430m': ['spam'],
    'free\n  MONEY': ['free money'],
    'now $$$ now': ['$$$'],
    これはスパムです: ['スパム'],
    STRASSE: [],
    straße: ['Straße'],
    spammer: [],
    antispam: [],
    spam_bot: [],
    'the free moneymaker': [],
    // A word of one script isn't taken for Latin.
    сор: [],
  }
  for (const [content, expected] of Object.entries(matching)) assert.deepEqual(await test(content), expected, content)
})

test('matches links to a domain, its subdomains, and domains that look like it', async () => {
  const { w, filter, test } = await scene()
  await using _ = w.chat
  await filter({ kind: 'domain', pattern: '*.Evil.Example.' })
  await filter({ kind: 'domain', pattern: 'münchen.example' })
  await filter({ kind: 'domain', pattern: 'paypa.example' })
  const evil = ['evil.example']
  const matching: Record<string, string[]> = {
    'http://evil.example/x': evil,
    'https://a.b.EVIL.example:8443/?q#f': evil,
    'see evil.example.': evil,
    '[here](https://evil.example)': evil,
    '[here](https://ev%69l.example)': evil,
    '`evil.example`': evil,
    'https://user@evil.example/': evil,
    'mail me@evil.example': evil,
    'evil\u3002example': evil,
    'ｅｖｉｌ.example': evil,
    'https://xn--mnchen-3ya.example': ['xn--mnchen-3ya.example'],
    'https://münchen.example': ['xn--mnchen-3ya.example'],
    // With Cyrillic letters.
    'https://\u0440\u0430\u0443\u0440\u0430.example': ['paypa.example'],
    'https://evil.example.org': [],
    'https://notevil.example': [],
    'https://example/evil.exampl': [],
    evil: [],
  }
  for (const [content, expected] of Object.entries(matching)) assert.deepEqual(await test(content), expected, content)
})

test('rejects invalid filters, and lists, adds and removes valid ones for administrators only', async () => {
  const { w, filter } = await scene()
  await using _ = w.chat
  const reasonOf = async (params: object) => {
    const answer = await w.iago.api.post('/content_filters', { action: 'refuse', ...params })
    return answer.errors?.pattern?.[0] ?? answer.msg
  }
  assert.match(await reasonOf({ kind: 'pattern', pattern: '(' }), /^Bad regular expression: /)
  assert.equal(await reasonOf({ kind: 'pattern', pattern: 'a*' }), 'This pattern matches every text.')
  assert.equal(await reasonOf({ kind: 'pattern', pattern: '[^a]{1,400}' }), 'This pattern is too complex.')
  assert.equal(await reasonOf({ kind: 'domain', pattern: 'a b' }), 'Enter a domain, such as example.com.')
  assert.equal(await reasonOf({ kind: 'word', pattern: '\u200b' }), 'This field cannot be blank.')
  for (const letter of 'abcde') assert.equal(await reasonOf({ kind: 'pattern', pattern: `${letter}{80}` }), '')
  assert.equal(
    await reasonOf({ kind: 'pattern', pattern: 'f{97}' }),
    'All patterns together are too complex. Remove one first.',
  )
  const id = await filter({ pattern: 'spam', message: 'No spam.' })
  assert.equal(await reasonOf({ kind: 'word', pattern: 'spam' }), 'This filter already exists.')
  const { content_filters } = await w.iago.api.get('/content_filters')
  assert.deepEqual(content_filters.at(-1), { id, kind: 'word', pattern: 'spam', action: 'refuse', message: 'No spam.' })
  for (const who of [w.cordelia, w.ann]) {
    assert.equal((await who.api.get('/content_filters')).code, 'UNAUTHORIZED_PRINCIPAL')
    assert.equal((await who.api.delete(`/content_filters/${id}`)).code, 'UNAUTHORIZED_PRINCIPAL')
  }
  assert.equal((await send(w.ann, 'spam')).msg, 'No spam.')
  assert.equal((await w.iago.api.delete(`/content_filters/${id}`)).msg, '')
  assert.equal((await w.iago.api.delete(`/content_filters/${id}`)).msg, 'No such filter')
  assert.equal((await send(w.ann, 'spam')).msg, '')
  const { entries } = await w.iago.api.get('/audit', { action: 'removeContentFilter' })
  assert.equal(entries[0].before.pattern, 'spam')
})

test('rejects messages, edits, votes, scheduled messages, topics, channels and what bots post', async () => {
  const { w, filter } = await scene()
  await using _ = w.chat
  const { ann, ben } = w
  const { id } = await ann.says('fine')
  await ann.says('fine', { topic: 'old spam' })
  const poll = (await send(ben, '/poll Lunch?\nyes')).id
  const { stream_id } = await ann.api.post('/channels/create', { name: 'mine', subscribers: [ann.id] })
  await ann.api.patch(`/streams/${stream_id ?? (await w.streamId('mine'))}`, { description: 'fine' })
  const scheduled_delivery_timestamp = Math.floor(w.clock.now() / 1000) + 3600
  const later = { type: 'direct', to: [ben.id], scheduled_delivery_timestamp }
  const { scheduled_message_id } = await ann.api.post('/scheduled_messages', {
    ...{ type: 'stream', to: await w.streamId('general'), topic: 'x', content: 'fine', scheduled_delivery_timestamp },
  })
  const made = await ann.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })
  const bot = apiOf(w.chat, { email: (await ann.api.get(`/users/${made.user_id}`)).user.email, key: made.api_key })
  const hook = await ann.api.post('/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 })
  await filter({ pattern: 'spam' })
  const option = JSON.stringify({ type: 'new_option', idx: 1, option: 'spam' })
  const widget_content = JSON.stringify({ widget_type: 'poll', extra_data: { question: 'x', options: ['spam'] } })
  for (const answer of [
    await send(ann, 'spam'),
    await send(ann, 'fine', 'new spam'),
    await send({ api: bot }, 'spam'),
    await ann.api.post('/messages', { type: 'direct', to: [ben.id], content: 'spam' }),
    await ann.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'x', widget_content }),
    await ann.api.patch(`/messages/${id}`, { content: 'spam' }),
    await ann.api.patch(`/messages/${id}`, { topic: 'new spam' }),
    await ben.api.post('/submessage', { message_id: poll, msg_type: 'widget', content: option }),
    await ann.api.post('/scheduled_messages', { ...later, content: 'spam' }),
    await ann.api.patch(`/scheduled_messages/${scheduled_message_id}`, { content: 'spam' }),
    await ann.api.patch(`/scheduled_messages/${scheduled_message_id}`, { topic: 'new spam' }),
    await ann.api.post('/scheduled_messages', {
      ...{ type: 'stream', to: await w.streamId('general'), topic: 'new spam', content: 'fine' },
      scheduled_delivery_timestamp,
    }),
    await ann.api.post('/channels/create', { name: 'spam', subscribers: [] }),
    await ann.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'ads', description: 'spam' }] }),
    await ann.api.patch(`/streams/${await w.streamId('mine')}`, { new_name: 'spam' }),
    await ann.api.patch(`/streams/${await w.streamId('mine')}`, { description: 'spam' }),
    await apiOf(w.chat).post(`/external/slack_incoming?api_key=${hook.api_key}&stream=general`, {
      payload: { text: 'spam' },
    }),
  ]) {
    assert.deepEqual([answer.result, answer.msg], ['error', REFUSED])
  }
  // A topic that has messages can be answered, and what nobody else reads is the writer's own.
  assert.equal((await send(ben, 'fine', 'old spam')).msg, '')
  assert.equal((await ann.api.patch(`/messages/${id}`, { topic: 'old spam' })).msg, '')
  assert.equal((await ann.api.post('/messages', { type: 'direct', to: [ann.id], content: 'spam' })).msg, '')
  assert.equal((await ann.api.post('/messages', { type: 'direct', to: [made.user_id], content: 'spam' })).msg, '')
  // Moderators may bypass filters.
  assert.equal((await send(w.cordelia, 'spam')).msg, '')
})

test('checks a scheduled message again when it is due, and keeps it', async () => {
  const { w, filter } = await scene()
  await using _ = w.chat
  const at = Math.floor(w.clock.now() / 1000) + 60
  const params = { type: 'direct', to: [w.ben.id], content: 'spam', scheduled_delivery_timestamp: at }
  await w.ann.api.post('/scheduled_messages', params)
  await filter({ pattern: 'spam' })
  w.clock.advance(61_000)
  const first = async () => (await w.ann.api.get('/scheduled_messages')).scheduled_messages[0]
  await eventually('it fails', async () => (await first()).failed === true)
})

test('sends flagged messages and reports them to the moderators, except direct ones', async () => {
  const { w, filter } = await scene()
  await using _ = w.chat
  await filter({ pattern: 'offer', action: 'flag' })
  await filter({ kind: 'domain', pattern: 'shop.example', action: 'flag' })
  const { id } = await send(w.ann, 'An offer at www.shop.example')
  const edited = (await send(w.ben, 'fine')).id
  await w.ben.api.patch(`/messages/${edited}`, { content: 'offer' })
  const named = (await send(w.ben, 'fine', 'offer')).id
  await w.ann.api.post('/messages', { type: 'direct', to: [w.ben.id], content: 'offer' })
  const { reports } = await w.cordelia.api.get('/reports')
  assert.deepEqual(
    reports.map(({ message_id, content, reasons }: { message_id: number; content: string; reasons: Reason[] }) => [
      ...[message_id, content, reasons[0]?.type, reasons[0]?.description],
    ]),
    [
      [named, 'fine', 'filter', 'offer'],
      [edited, 'offer', 'filter', 'offer'],
      [id, 'An offer at www.shop.example', 'filter', 'offer, shop.example'],
    ],
  )
})

test('lets no pattern block others, however hostile the text', async () => {
  const { w, filter } = await scene()
  await using _ = w.chat
  await filter({ kind: 'pattern', pattern: '(a+)+$' })
  await filter({ kind: 'pattern', pattern: '(x|y)*z' })
  assert.equal((await send(w.ann, `${'a'.repeat(9000)}!`)).msg, '')
  assert.equal((await send(w.ann, `${'xy'.repeat(4500)}Z`)).msg, REFUSED)
})

test('looks at long widgets in parts, and at lists inside each other', async () => {
  const { w, filter } = await scene()
  await using _ = w.chat
  await filter({ pattern: 'spam' })
  const poll = (...options: string[]) =>
    w.ann.api.post('/messages', {
      ...{ type: 'stream', to: 'general', topic: 'x', content: 'Vote!' },
      widget_content: JSON.stringify({ widget_type: 'poll', extra_data: { question: 'What?', options } }),
    })
  const long = Array.from({ length: 20 }, () => 'ham '.repeat(2000))
  assert.equal((await poll(...long)).msg, '')
  assert.equal((await poll(...long, 'spam')).msg, REFUSED)
  assert.equal((await poll('spam', ...long)).msg, REFUSED)
  const { id } = await w.ann.says('mine')
  const add = (text: string) =>
    w.ann.api.post('/submessage', {
      ...{ message_id: id, msg_type: 'widget' },
      content: `${'['.repeat(4900)}"${text}"${']'.repeat(4900)}`,
    })
  assert.equal((await add('spam')).msg, REFUSED)
  assert.equal((await add('ham')).msg, '')
})
