import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createApp, nodeListener } from '../../src/http/index.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { addCrowd } from '../crowd.ts'
import { eventually } from '../eventually.ts'
import { noise, upload } from '../files/files.ts'

/** What a socket's two ends can hold by themselves is less. */
const SIZE = 20 * 1024 * 1024
const PIECE = 256 * 1024
const bytes = noise(SIZE)

/** The app behind a server of our own, which sees each response before the app does. */
async function listen({ chat }: World, onRequest: (req: IncomingMessage, res: ServerResponse) => void) {
  const listener = nodeListener(createApp({ chat, rateLimit: false }))
  const server = createServer((req, res) => {
    onRequest(req, res)
    listener(req, res)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async ({ email, key }: Person, path: string, method = 'GET'): Promise<IncomingMessage> => {
    const asked = request({ port, path, method, auth: `${email}:${key}`, agent: false })
    asked.end()
    const [answer] = await once(asked, 'response')
    return answer
  }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { ask, [Symbol.dispose]: close }
}

async function whole(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return Buffer.concat(parts)
}

/** Resolves when a response holds a piece of a file and makes no progress, since its client does not read. */
const standsStill = (res: ServerResponse): Promise<void> =>
  eventually('the response stands still with a piece', async () => {
    const sent = res.socket!.bytesWritten
    await setTimeout(100)
    return res.writableLength > 0 && res.socket!.bytesWritten === sent
  })

test('buffers one chunk of a file for a slow client, which still gets all of it', async () => {
  await using w = await world({})
  const { hamlet } = w.people
  const path = await upload(hamlet, bytes)
  let response: ServerResponse | undefined
  using server = await listen(w, (_, res) => {
    response = res
  })
  const answer = await server.ask(hamlet, path)
  await standsStill(response!)
  const held = response!.writableLength
  assert.ok(held > 0 && held <= PIECE, `${held} bytes`)
  assert.ok((await whole(answer)).equals(bytes))
})

test('stops reading a file when the client disconnects', async () => {
  await using w = await world({})
  const { hamlet } = w.people
  const path = await upload(hamlet, bytes)
  let response: ServerResponse | undefined
  using server = await listen(w, (_, res) => {
    response = res
  })
  const answer = await server.ask(hamlet, path)
  await standsStill(response!)
  const closed = once(response!, 'close')
  answer.destroy()
  await closed
  assert.equal(response!.writableFinished, false)
  // And the next one gets it whole.
  assert.ok((await whole(await server.ask(hamlet, path))).equals(bytes))
})

test('a middleware can keep the chunks written to the response', async () => {
  await using w = await world({})
  const { hamlet } = w.people
  const path = await upload(hamlet, bytes.subarray(0, 4 * PIECE))
  const kept: Uint8Array[] = []
  using server = await listen(w, (_, res) => {
    const write = res.write.bind(res)
    res.write = ((chunk: Uint8Array, ...rest: []) => {
      kept.push(chunk)
      return write(chunk, ...rest)
    }) as typeof res.write
  })
  const sent = await whole(await server.ask(hamlet, path))
  assert.ok(sent.equals(bytes.subarray(0, 4 * PIECE)))
  assert.ok(Buffer.concat(kept).equals(sent))
})

test('the second client receives the same shared register data as the first', async () => {
  await using w = await world({})
  const { hamlet } = w.people
  await addCrowd(hamlet, 200)
  using server = await listen(w, () => {})
  const state = async () => {
    const { queue_id: _, ...rest } = JSON.parse(
      (await whole(await server.ask(hamlet, '/api/v1/register', 'POST'))).toString(),
    )
    return rest
  }
  const first = await state()
  assert.ok(first.realm_users.length > 200)
  assert.deepEqual(await state(), first)
})

test('HEAD of a long list has no body and frees the connection', async () => {
  await using w = await world({})
  const { hamlet } = w.people
  await addCrowd(hamlet, 1500)
  using server = await listen(w, () => {})
  assert.equal((await whole(await server.ask(hamlet, '/api/v1/users', 'HEAD'))).length, 0)
  const { members } = JSON.parse((await whole(await server.ask(hamlet, '/api/v1/users'))).toString())
  assert.ok(members.length > 1500)
})
