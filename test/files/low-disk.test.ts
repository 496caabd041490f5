import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { backup } from '../../src/admin/commands/database.ts'
import { createApp } from '../../src/http/index.ts'
import { type World, world } from '../../src/testing/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { bytesOf, upload } from './files.ts'

const MIB = 1024 * 1024

/** A world on a disk with as many free bytes as the test says, which is looked at every few seconds. */
async function scene() {
  let free = 1000 * MIB
  let taken = 0
  const w = await world({ chat: { freeBytes: () => (free -= taken) } })
  return {
    w,
    /** `fillsBy`: the bytes that are fewer each time the disk is looked at, as pieces of a file arrive. */
    setFree(mib: number, fillsBy = 0) {
      taken = fillsBy
      free = mib * MIB
      w.clock.advance(10_000)
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}

const attempt = (w: World, bytes = bytesOf('x')) => w.people.hamlet.api.upload('/user_uploads', bytes, 'a.txt')
const ready = async (w: World) =>
  (await createApp({ chat: w.chat }).fetch(new Request('http://localhost/health/ready'))).status
const say = (w: World) =>
  w.people.hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 't', content: 'hi' })

test('rejects uploads that would cut into the reserve, but accepts messages', async () => {
  await using s = await scene()
  s.setFree(65)
  assert.equal((await attempt(s.w)).status, 200)
  s.setFree(66, MIB / 2)
  const large = await attempt(s.w, new Uint8Array(2 * MIB))
  assert.deepEqual([large.status, large.code], [507, 'STORAGE_FULL'])
  assert.equal((await s.w.people.hamlet.api.get('/attachments')).attachments.length, 1)
  s.setFree(63)
  const { status, code, msg } = await attempt(s.w)
  assert.deepEqual([status, code], [507, 'STORAGE_FULL'])
  assert.match(msg, /^The server's disk is almost full, so files can't be uploaded\. /)
  assert.equal((await say(s.w)).status, 200)
  assert.equal(await ready(s.w), 200)
  s.setFree(200)
  assert.equal((await attempt(s.w)).status, 200)
})

test('rejects messages and fails readiness when little of the reserve is left, and still deletes', async () => {
  await using s = await scene()
  const { iago, hamlet } = s.w.people
  await upload(hamlet, new Uint8Array(MIB))
  const { id } = await hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 't', content: 'hi' })
  const { attachments } = await hamlet.api.get('/attachments')
  s.setFree(15)
  const refused = await say(s.w)
  assert.deepEqual([refused.status, refused.code], [507, 'STORAGE_FULL'])
  assert.equal(await ready(s.w), 503)
  await hamlet.api.delete(`/attachments/${attachments[0].id}`)
  await iago.api.delete(`/messages/${id}`)
  s.setFree(100)
  assert.equal((await say(s.w)).status, 200)
  assert.equal(await ready(s.w), 200)
})

test('notifies the owners once when space runs low, and again after it recovers', async () => {
  await using s = await scene()
  const { iago } = s.w.people
  const notices = async () => {
    const { messages } = await iago.api.get('/messages', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      narrow: '[]',
    })
    return messages.filter(({ content }: { content: string }) => content.includes('disk space')).length
  }
  // The notice is sent in a write of its own.
  const expectNotices = (count: number) => eventually(`${count} notices`, async () => (await notices()) === count)
  s.setFree(60)
  await expectNotices(1)
  for (const mib of [50, 70, 60]) s.setFree(mib)
  s.setFree(500)
  s.setFree(60)
  await expectNotices(2)
  // Writes come one after another, so a third one would be there by now.
  await say(s.w)
  assert.equal(await notices(), 2)
})

test('keeps running while the disk cannot be measured', async () => {
  let isGone = false
  await using w = await world({
    chat: {
      freeBytes() {
        if (isGone) throw new Error('ENOENT: no such file or directory, statfs')
        return 1000 * MIB
      },
    },
  })
  isGone = true
  w.clock.advance(10_000)
  assert.equal((await say(w)).status, 200)
  assert.equal(await ready(w), 200)
})

test('makes no backup that would cut into the reserve', onlyOnSqlite('pg_dump saves what a server has'), async () => {
  using folder = new TemporaryFolder()
  await using s = await scene()
  const file = join(folder.path, 'copy.db')
  s.setFree(64)
  await assert.rejects(
    backup.run(s.w.chat, { file, secret: false }, () => {}),
    { kind: 'full', message: /Not enough disk space for .*copy\.db\. / },
  )
  assert.equal(existsSync(file), false)
  s.setFree(500)
  await backup.run(s.w.chat, { file, secret: false }, () => {})
})
