// With node:test. `node --test`
import assert from 'node:assert/strict'
import { after, afterEach, before, mock, test } from 'node:test'
import { testServer } from 'chat-server/testing'
import { answerOnce } from './bot.mjs'

let server
let clean
before(async () => {
  server = await testServer({ people: { ann: {}, echo: { bot: true } } })
  clean = await server.snapshot()
})
// Each test begins with the same messages, queues and settings; it takes a few milliseconds.
afterEach(() => server.restore(clean))
after(() => server.close())

const question = async () => {
  await server.ann.says('Is anybody there?')
  return server.until((message) => message.content.startsWith('Is anybody'))
}

test('the bot answers in the same topic', async () => {
  await answerOnce({ url: server.url, authorization: server.echo.authorization }, await question())
  const answer = await server.until((message) => message.sender_id === server.echo.id)
  assert.equal(answer.content, 'You said: Is anybody there?')
  assert.equal(answer.subject, 'greetings')
})

test('an answer that is lost on its way is not sent twice', async () => {
  server.fail('POST /messages', { drop: true, after: 'commit' })
  await answerOnce({ url: server.url, authorization: server.echo.authorization }, await question())
  await server.idle()
  const { messages } = await server.ann.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  assert.equal(messages.filter((message) => message.sender_id === server.echo.id).length, 1)
  assert.equal(server.requests.filter(({ path }) => path === '/messages').length >= 2, true)
})

test('fake timers of a test do not stop the server', async () => {
  mock.timers.enable()
  try {
    const { id } = await server.ann.says('Time stands still')
    assert.ok(id)
    assert.equal((await server.ann.api.get('/users/me')).email, server.ann.email)
  } finally {
    mock.timers.reset()
  }
})
