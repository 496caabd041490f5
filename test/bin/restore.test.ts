import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { type Answer, type Person, person } from '../crash/client.ts'
import { command, serve, WorkingFolder } from './in-process.ts'
import { start } from './running.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia', '--json']

const send = async ({ insist }: Person, content: string): Promise<number> => {
  const { answer } = await insist('POST', '/messages', { type: 'stream', to: 'general', topic: 't', content })
  assert.equal(answer.result, 'success', answer.msg)
  return answer.id
}

test('clients register again after a restore and get no id they had before', async () => {
  using folder = new WorkingFolder()
  const owner = JSON.parse((await command(init)).out)
  const me = { id: owner.user_id, email: owner.email, key: owner.api_key }
  let queue: Answer
  let lostId: number
  let position: number
  {
    await using server = await start(folder, ['--port', '0'])
    const ophelia = person(server.url, me)
    await send(ophelia, 'kept')
    queue = (await ophelia.insist('POST', '/register', { event_types: ['message'] })).answer
    assert.equal((await command(['backup', 'copy.db'])).code, 0)
    lostId = await send(ophelia, 'lost')
    const { events } = (await ophelia.insist('GET', '/events', { ...queue, dont_block: true })).answer
    assert.equal(events[0].message.content, 'lost')
    position = events.at(-1).id

    const refused = await command(['restore', 'copy.db', '--force'])
    assert.equal(refused.code, 1)
    assert.match(refused.err, /chat\.db is in use by process \d+ on .*stop that one first/)
    server.process.kill('SIGKILL')
    await server.ended
  }
  assert.match((await command(['restore', 'copy.db'])).err, /chat\.db already exists. Use --force to replace it/)
  const { code, out, err } = await command(['restore', 'copy.db', '--force'])
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^Restored copy\.db to chat\.db\.$/m)
  assert.match(out, /Messages +2, last sent \d{4}-/)
  assert.match(out, /Users +1$/m)
  assert.match(out, /The secret was restored with the backup/)

  await using server = await serve(['--port', '0'])
  const ophelia = person(server.url, me)
  for (const last_event_id of [queue.last_event_id, position]) {
    const { answer } = await ophelia.insist('GET', '/events', { queue_id: queue.queue_id, last_event_id })
    assert.equal(answer.code, 'BAD_EVENT_QUEUE_ID')
  }
  const again = (await ophelia.insist('POST', '/register', { event_types: ['message'] })).answer
  assert.ok(again.last_event_id > position)
  const newId = await send(ophelia, 'new')
  assert.ok(newId > lostId + 1_000_000)
  const { events } = (await ophelia.insist('GET', '/events', { ...again, dont_block: true })).answer
  assert.deepEqual(
    events.map((event: { message: { id: number } }) => event.message.id),
    [newId],
  )
  const { messages } = (
    await ophelia.insist('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0, apply_markdown: false })
  ).answer
  assert.deepEqual(messages.map(({ content }: { content: string }) => content).slice(-2), ['kept', 'new'])
})

test('restores a backup where no database exists', async () => {
  using folder = new WorkingFolder()
  await command(init)
  await command(['backup', 'copy.db'])
  for (const end of ['', '.secret']) rmSync(join(folder.path, `chat.db${end}`))
  const { code, out } = await command(['restore', 'copy.db', '--json'])
  assert.equal(code, 0)
  const { messages, users, secret, replaced } = JSON.parse(out)
  assert.deepEqual([messages, users, secret, replaced], [1, 1, 'restored', false])
})
