// With jest. `NODE_OPTIONS=--experimental-vm-modules npx jest`, as chat-server is an ES module.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { testServer, world } from 'chat-server/testing'
import { answerOnce } from './bot.mjs'

let server
beforeAll(async () => {
  server = await testServer({ people: { ann: {}, echo: { bot: true } } })
})
afterAll(() => server.close())

test('the bot gives up when the server does not come back', async () => {
  server.fail('POST /messages', { drop: true, times: 5 })
  await server.ann.says('Hello')
  const message = await server.until(({ content }) => content === 'Hello')
  const bot = { url: server.url, authorization: server.echo.authorization }
  await expect(answerOnce(bot, message)).rejects.toThrow('did not answer')
})

test('fake timers of a test do not stop the chat', async () => {
  jest.useFakeTimers()
  const w = await world({ messages: [{ from: 'hamlet', content: 'to be', reactions: { tada: ['cordelia'] } }] })
  try {
    const { message } = await w.cordelia.api.get(`/messages/${w.message_ids[0]}`)
    expect(message.reactions.map(({ emoji_name }) => emoji_name)).toEqual(['tada'])
    await w.hamlet.says('or not to be')
  } finally {
    await w.chat.close()
    jest.useRealTimers()
  }
})
