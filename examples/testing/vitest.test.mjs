// With vitest. `npx vitest run`
import { testServer, world } from 'chat-server/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { answerOnce } from './bot.mjs'

let server
beforeAll(async () => {
  server = await testServer({ people: { ann: {}, echo: { bot: true } } })
})
afterAll(() => server.close())

test('the bot tries again when the server is overloaded', async () => {
  server.fail('POST /messages', { status: 503, times: 2 })
  await server.ann.says('Hello')
  const message = await server.until(({ content }) => content === 'Hello')
  await answerOnce({ url: server.url, authorization: server.echo.authorization }, message)
  const attempts = server.requests.filter(({ email }) => email === server.echo.email)
  expect(attempts.map(({ status }) => status)).toEqual([503, 503, 200])
  expect(attempts[0].params).toMatchObject({ topic: 'greetings', content: 'You said: Hello' })
})

test('fake timers of a test do not stop the chat; its own clock is advanced by hand', async () => {
  vi.useFakeTimers()
  const w = await world({ streams: { verona: { members: ['hamlet'], topics: { plans: 3 } } } })
  try {
    const before = w.clock.now()
    w.clock.advance(60_000)
    const { id } = await w.hamlet.says('later', { stream: 'verona', topic: 'plans' })
    const { message } = await w.hamlet.api.get(`/messages/${id}`)
    expect(message.timestamp * 1000 - before).toBe(60_000)
  } finally {
    await w.chat.close()
    vi.useRealTimers()
  }
})
