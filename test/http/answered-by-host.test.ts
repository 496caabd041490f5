import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type App, createApp, nodeListener } from '../../src/http/index.ts'
import { type World, world } from '../../src/testing/index.ts'
import { collecting, type LogEntry } from '../../src/testing/server.ts'
import { upload } from '../files/files.ts'

/** A host application that begins an answer of its own, and ends it when the app has answered as well. */
async function hostOf({ chat, people }: World) {
  const errors: unknown[] = []
  const app = createApp({ chat, rateLimit: false })
  let handled = Promise.withResolvers<void>()
  const listener = nodeListener({
    ...app,
    fetch: async (asked) => {
      const answer = await app.fetch(asked)
      handled.resolve()
      return answer
    },
    answerPoll(asked, response) {
      const answering = app.answerPoll!(asked, response)
      if (answering) void answering.then(() => handled.resolve())
      return answering
    },
    logFailure: (error) => errors.push(error),
  } as App)
  const endLater = async (response: ServerResponse) => {
    await handled.promise
    for (let i = 0; i < 20; i++) await setImmediate()
    if (!response.writableEnded) response.end('!')
  }
  const server = createServer((asked, response) => {
    handled = Promise.withResolvers()
    listener(asked, response)
    response.writeHead(503, { 'content-type': 'text/plain' })
    response.write('busy')
    void endLater(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { email, key } = people.hamlet
  return {
    errors,
    async ask(path: string, whileWaiting?: () => Promise<unknown>) {
      const { port } = server.address() as AddressInfo
      const asked = request({ port, path, auth: `${email}:${key}`, agent: false })
      asked.end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      await whileWaiting?.()
      let text = ''
      for await (const part of answer) text += part
      return [answer.statusCode, text]
    },
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('leaves an answer alone that the host application has begun', async () => {
  const log: LogEntry[] = []
  await using w = await world({ chat: { logger: collecting(log) } })
  const { hamlet, iago } = w.people
  using host = await hostOf(w)
  const file = await upload(hamlet, Buffer.from('the file'))
  const { queue_id } = await hamlet.api.post('/register', { event_types: ['message'], fetch_event_types: [] })
  assert.deepEqual(await host.ask('/api/v1/users/me'), [503, 'busy!'])
  assert.deepEqual(await host.ask(file), [503, 'busy!'])
  assert.deepEqual(await host.ask('/api/v1/nothing-here'), [503, 'busy!'])
  const poll = `/api/v1/events?queue_id=${queue_id}&last_event_id=-1`
  assert.deepEqual(await host.ask(poll, () => iago.says('news')), [503, 'busy!'])
  assert.deepEqual(await host.ask(`/api/v1/events/stream?queue_id=${queue_id}`), [503, 'busy!'])
  assert.deepEqual([...host.errors, ...log], [])
})
