import assert from 'node:assert/strict'
import test from 'node:test'
import { openChat } from '../../src/index.ts'
import { testServer, world } from '../../src/testing/index.ts'

const drafts = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ type: 'stream', to: [1], topic: 'x', content: `draft ${i}` }))
const queue = { event_types: ['message'] }
const later = { type: 'stream', to: 'general', topic: 'x', content: 'y', deliver_at: '4000000000' }

/** What meets each limit at the number 2, how often it is asked for, and what it is answered then. */
const table = {
  messageBytes: { path: '/messages', params: { ...later, content: 'abc' }, times: 1, msg: /3 bytes, at most 2/ },
  queuesPerUser: { path: '/register', params: queue, times: 3, msg: /at most 2 per user/ },
  draftsPerUser: { path: '/drafts', params: { drafts: drafts(3) }, times: 1, msg: /at most 2 per user/ },
  scheduledPerUser: { path: '/messages', params: later, times: 3, msg: /at most 2 per user/ },
  snippetsPerUser: {
    path: '/saved_snippets',
    params: { title: 'a', content: 'b' },
    times: 3,
    msg: /at most 2 per user/,
  },
  alertWordsPerUser: {
    path: '/users/me/alert_words',
    params: { alert_words: ['a', 'b', 'c'] },
    times: 1,
    msg: /most 2/,
  },
} as const

for (const [name, { path, params, times, msg }] of Object.entries(table)) {
  test(`a world applies the limit ${name} set by its test`, async () => {
    await using w = await world({ chat: { limits: { [name]: 2 } } })
    const answers = []
    for (let i = 0; i < times; i++) answers.push(await w.hamlet.api.post(path, params))
    const last = answers.pop()!
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    assert.equal(last.status, 400)
    assert.match(last.msg, msg)
  })
}

test('applies and reports custom limits of answers, bot storage and messages', async () => {
  const limits = { answerCharacters: 3000, botStorageCharacters: 2, messageBytes: 50 }
  await using w = await world({ chat: { limits } })
  for (const n of [1, 2, 3, 4]) await w.hamlet.says(`message ${n}`)
  const window = { anchor: 'newest', num_before: 10, num_after: 0 }
  const { messages, found_oldest } = await w.hamlet.api.get('/messages', window)
  assert.deepEqual([messages.length, found_oldest], [2, false])
  const stored = await w.hamlet.api.put('/bot_storage', { storage: { a: 'bc' } })
  assert.match(stored.msg, /The limit is 2 characters/)
  assert.equal((await w.hamlet.api.post('/register', { fetch_event_types: ['realm'] })).max_message_length, 50)
})

test("rejects unknown limits and limits that aren't lower", async () => {
  // @ts-expect-error: no such name
  await assert.rejects(openChat({ limits: { messages: 2 } }), /unknown limit messages; the limits are messageBytes, /)
  for (const queuesPerUser of [101, -1, 0.5, Number.NaN]) {
    await assert.rejects(openChat({ limits: { queuesPerUser } }), /queuesPerUser is at most 100/)
  }
})

test('a server accepts named rates and file sizes', async () => {
  await using server = await testServer({
    people: { echo: { bot: true } },
    rateLimit: { user: 4, bot: 2, password: 1, guest: 3 },
    maxFileUploadSizeMib: 0.001,
    maxEmojiFileSizeMib: 0.001,
  })
  const countedOf = async ({ authorization }: { authorization: string }) => {
    for (let count = 0; ; count++) {
      const answer = await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization } })
      if (answer.status === 429) return count
      assert.equal(answer.status, 200)
    }
  }
  assert.deepEqual(
    [await countedOf(server.hamlet), await countedOf(server.echo), await countedOf(server.polonius)],
    [4, 2, 3],
  )
  const wrong = async () => {
    const body = new URLSearchParams({ username: server.hamlet.email, password: 'wrong' })
    const answer = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body })
    return answer.status === 429 ? ((await answer.json()) as { limit: object }).limit : answer.status
  }
  assert.equal(await wrong(), 401)
  assert.deepEqual(await wrong(), { name: 'password', per: 'account and address', requests: 1, seconds: 1800 })
  const upload = async (path: string) => {
    const body = new FormData()
    body.set('file', new File([new Uint8Array(1100)], 'a.bin'))
    const headers = { authorization: server.iago.authorization }
    return (await fetch(`${server.url}/api/v1/${path}`, { method: 'POST', headers, body })).json()
  }
  assert.match(((await upload('user_uploads')) as { msg: string }).msg, /0\.001 MiB/)
  assert.match(((await upload('realm/emoji/big')) as { msg: string }).msg, /0\.001 MiB|larger|too large/i)
})
