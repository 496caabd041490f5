import assert from 'node:assert/strict'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { type Answer, type Person, person } from '../crash/client.ts'
import { command, type ServedHere, serve, WorkingFolder } from './in-process.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia', '--json']

const send = async ({ insist }: Person): Promise<number> => {
  const message = { type: 'stream', to: 'general', topic: 't', content: 'hello' }
  return (await insist('POST', '/messages', message)).answer.id
}

/** An organization with an event queue, and a copy of its files from before its newest message. */
async function scene(copied: (name: string) => boolean) {
  const folder = new WorkingFolder()
  const owner = JSON.parse((await command(init)).out)
  const me = { id: owner.user_id, email: owner.email, key: owner.api_key }
  const at = (server: ServedHere) => person(server.url, me)
  let queue: Answer
  {
    await using server = await serve(['--port', '0'])
    queue = (await at(server).insist('POST', '/register', { event_types: ['message'] })).answer
    await send(at(server))
  }
  const copy = join(folder.path, 'copy')
  mkdirSync(copy)
  const names = readdirSync('.').filter((name) => name.startsWith('chat.db') && copied(name))
  for (const name of names) copyFileSync(name, join(copy, name))
  let lost: number
  {
    await using server = await serve(['--port', '0'])
    lost = await send(at(server))
  }
  return {
    rollBack: () => cpSync(copy, '.', { recursive: true }),
    lost,
    /** Whether the queue is still there, the id of a new message, and what the server warns of. */
    async served() {
      await using server = await serve(['--port', '0'])
      const poll = { queue_id: queue.queue_id, last_event_id: queue.last_event_id, dont_block: true }
      const { answer } = await at(server).insist('GET', '/events', poll)
      return { queue: answer.code ?? 'open', id: await send(at(server)), warnings: server.warnings() }
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

test('ends all queues and skips ids when an older copy replaced the database', async () => {
  using s = await scene((name) => name === 'chat.db')
  s.rollBack()
  const { queue, id, warnings } = await s.served()
  assert.equal(queue, 'BAD_EVENT_QUEUE_ID')
  assert.ok(id > s.lost + 1_000_000, `${id}`)
  assert.match(JSON.stringify(warnings), /chat\.db was replaced since it was last used\. New IDs skip a range/)
  const again = await s.served()
  assert.deepEqual([again.id, again.warnings], [id + 1, []])
})

test("doctor --after-rollback does the same where a rollback can't be detected", async () => {
  using s = await scene(() => true)
  s.rollBack()
  const { code, out } = await command(['doctor', '--after-rollback'])
  const next = Number(/start at (\d+)/.exec(out)?.[1])
  assert.deepEqual([code, next > 1_000_000], [0, true], out)
  const { queue, id, warnings } = await s.served()
  assert.deepEqual([queue, id, warnings], ['BAD_EVENT_QUEUE_ID', next, []])
})

test('doctor --after-rollback changes nothing while a server runs and creates no database', async () => {
  using _ = await scene(() => true)
  {
    await using server = await serve(['--port', '0'])
    assert.ok(server.url)
    const { code, err } = await command(['doctor', '--after-rollback'])
    assert.equal(code, 1)
    assert.match(err, /chat\.db is in use by process \d+ .*stop that one first/)
  }
  rmSync('chat.db')
  const { code, err } = await command(['doctor', '--after-rollback', '--json'])
  assert.deepEqual([code, existsSync('chat.db')], [1, false])
  assert.match(err, /chat\.db does not exist/)
})
