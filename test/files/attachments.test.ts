import assert from 'node:assert/strict'
import test from 'node:test'
import { sendMessage, updateMessage } from '../../src/index.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { bytesOf, statusFor, stored, sweepNow, upload } from './files.ts'

const DAY = 86_400
const link = (url: string) => `[file](${url})`

async function attachmentsOf(who: Person) {
  const { attachments } = await who.api.get('/attachments')
  return attachments as { id: number; name: string; path_id: string; message_ids: number[] }[]
}
const usedIn = async (who: Person) => (await attachmentsOf(who)).map(({ message_ids }) => message_ids)
const attachmentEvents = async (w: World) =>
  (await w.events()).flatMap((event) =>
    event.type === 'attachment' ? [[event.op, event.op === 'remove' ? [] : event.attachment.message_ids]] : [],
  )
/** What people find by a narrow. */
async function found(who: Person, operand: string): Promise<number[]> {
  const narrow = [{ operator: 'has', operand }]
  const { messages } = await who.api.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })
  return messages.map((message: { id: number }) => message.id)
}

test('lists exactly the documented fields', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const url = await upload(hamlet, bytesOf('four'), 'x y.txt')
  w.clock.advance(5000)
  const { id } = await hamlet.says(link(url))
  const now = w.clock.now()
  assert.deepEqual(await hamlet.api.get('/attachments'), {
    status: 200,
    result: 'success',
    msg: '',
    attachments: [
      {
        id: 1,
        name: 'x y.txt',
        path_id: url.replace('/user_uploads/', ''),
        size: 4,
        create_time: Math.floor(now / 1000) - 5,
        message_ids: [id],
      },
    ],
    upload_space_used: 4,
  })
  assert.deepEqual((await w.people.iago.api.get('/attachments')).attachments, [])
  assert.deepEqual(await hamlet.api.delete('/attachments/1'), { status: 200, result: 'success', msg: '' })
})

test('sends the owner events when a file is added, used and removed', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  await w.events()
  const url = await upload(hamlet)
  assert.deepEqual(await attachmentEvents(w), [['add', []]])
  const first = await hamlet.says(link(url))
  const second = await cordelia.says(link(url))
  assert.deepEqual(await attachmentEvents(w), [
    ['update', [first.id]],
    ['update', [first.id, second.id]],
  ])
  await updateMessage(hamlet, { message_id: first.id, content: 'never mind' })
  assert.deepEqual(await attachmentEvents(w), [['update', [second.id]]])
  await w.people.iago.api.delete(`/messages/${second.id}`)
  assert.deepEqual(await attachmentEvents(w), [['update', []]])
  await hamlet.api.delete('/attachments/1')
  assert.deepEqual(await attachmentEvents(w), [['remove', []]])
})

test("an edit returns the editor's files that no message refers to now", async () => {
  await using w = await world()
  const { hamlet, cordelia, iago } = w.people
  const [mine, shared, hers] = [await upload(hamlet), await upload(hamlet), await upload(cordelia)]
  await cordelia.says(link(hers))
  const quoted = await cordelia.says(link(hers))
  await hamlet.says(link(shared))
  const { id } = await hamlet.says([mine, shared, hers].map(link).join(' '))
  await iago.api.delete(`/messages/${quoted.id}`)
  const edit = async (content: string) => {
    const { detached_uploads } = await hamlet.api.patch(`/messages/${id}`, { content })
    return detached_uploads.map((file: { path_id: string }) => `/user_uploads/${file.path_id}`)
  }
  assert.deepEqual(await edit(`only ${link(shared)}`), [mine])
  assert.deepEqual(await edit('nothing'), [])
  assert.deepEqual(await edit(link(mine)), [])
  assert.deepEqual(await edit('nothing again'), [mine])
})

test('only links by people who can read a file share it', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago', 'cordelia'] } } })
  const { hamlet, cordelia } = w.people
  const url = await upload(cordelia)
  await cordelia.says(link(url), { stream: 'secret', topic: 'x' })
  const stolen = await hamlet.says(link(url))
  assert.equal(await statusFor(w, hamlet, url), 403)
  assert.equal(await statusFor(w, w.people.polonius, url), 403)
  assert.deepEqual(await found(hamlet, 'attachment'), [])
  await updateMessage(hamlet, { message_id: stolen.id, content: `again ${link(url)}` })
  assert.equal(await statusFor(w, hamlet, url), 403)
  // A user who may read it may share it.
  const shown = await cordelia.says(link(url))
  assert.equal(await statusFor(w, hamlet, url), 200)
  assert.deepEqual(await found(hamlet, 'attachment'), [shown.id])
})

test("a message's files follow its text", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const url = await upload(hamlet, bytesOf('x'), 'é 文.txt')
  for (const written of [url, encodeURI(url), `http://localhost${url}`, `http://localhost${encodeURI(url)}`]) {
    const { id } = await hamlet.says(link(written))
    assert.deepEqual(await usedIn(hamlet), [[id]], written)
    assert.deepEqual(await found(iago, 'attachment'), [id])
    assert.ok((await found(iago, 'link')).includes(id))
    assert.equal(await statusFor(w, iago, encodeURI(url)), 200)
    await updateMessage(hamlet, { message_id: id, content: `\`${written}\`` })
    assert.deepEqual(await usedIn(hamlet), [[]], written)
    assert.deepEqual(await found(iago, 'attachment'), [])
    assert.equal(await statusFor(w, iago, encodeURI(url)), 403)
  }
  await hamlet.says(`[other](http://elsewhere.example${url}) and [nothing](/user_uploads/1/aa/x/y.txt)`)
  assert.deepEqual([await usedIn(hamlet), await found(iago, 'attachment')], [[[]], []])
})

test('access through a message follows its moves and ends with its deletion', async () => {
  await using w = await world({
    streams: {
      secret: { private: true, members: ['hamlet', 'cordelia'] },
      hall: { private: true, members: ['hamlet', 'iago'] },
    },
  })
  const { hamlet, cordelia, iago, polonius } = w.people
  const url = await upload(hamlet)
  const { id } = await hamlet.says(link(url), { stream: 'secret', topic: 'x' })
  const readers = async () => {
    const may: string[] = []
    for (const [name, who] of Object.entries({ hamlet, cordelia, iago, polonius })) {
      if ((await statusFor(w, who, url)) === 200) may.push(name)
    }
    return may
  }
  assert.deepEqual(await readers(), ['hamlet', 'cordelia'])
  await hamlet.api.patch(`/messages/${id}`, { stream_id: await w.streamId('hall'), topic: 'y' })
  assert.deepEqual(await readers(), ['hamlet', 'iago'])
  const { id: other } = await hamlet.says(link(url), { people: [polonius] })
  assert.deepEqual(await readers(), ['hamlet', 'iago', 'polonius'])
  await iago.api.delete(`/messages/${id}`)
  assert.deepEqual(await readers(), ['hamlet', 'polonius'])
  await hamlet.api.patch(`/messages/${other}`, { content: 'gone' })
  assert.deepEqual(await readers(), ['hamlet'])
})

test('deletes unused files after some weeks, except in drafts and scheduled messages', async () => {
  await using w = await world({ chat: { unusedFileDays: 10 } })
  const { hamlet } = w.people
  const names = ['never', 'sent', 'draft', 'scheduled', 'edited']
  // One after the other: the list is in the order in which they arrived.
  const urls: Record<string, string> = {}
  for (const name of names) urls[name] = await upload(hamlet, bytesOf(name), name)
  await hamlet.says(link(urls.sent!))
  const { id } = await hamlet.says(link(urls.edited!))
  const { ids } = await hamlet.api.post('/drafts', {
    drafts: [{ type: '', to: [], topic: '', content: `see ${urls.draft}` }],
  })
  const in30Days = String(Math.floor(w.clock.now() / 1000) + 30 * DAY)
  await sendMessage(hamlet, { type: 'private', to: [hamlet.id], content: link(urls.scheduled!), deliver_at: in30Days })
  const left = async () => (await attachmentsOf(hamlet)).map((file) => file.name)
  await sweepNow(w, 9 * DAY)
  assert.deepEqual(await left(), names)
  await updateMessage(w.people.iago, { message_id: id, content: 'x' }).catch(() => {})
  await w.people.iago.api.delete(`/messages/${id}`)
  await sweepNow(w, DAY)
  assert.deepEqual(await left(), ['sent', 'draft', 'scheduled', 'edited'])
  assert.equal(await statusFor(w, hamlet, urls.never!), 404)
  await hamlet.api.delete(`/drafts/${ids[0]}`)
  await sweepNow(w, 10 * DAY)
  assert.deepEqual(await left(), ['sent', 'scheduled'])
  await sweepNow(w, 30 * DAY)
  assert.deepEqual(await left(), ['sent', 'scheduled'])
  const inMessages = (await attachmentsOf(hamlet)).map((file) => file.message_ids.length)
  assert.deepEqual(inMessages, [1, 1])
  await sweepNow(w, DAY)
  assert.deepEqual(await stored(w), { file: 2, upload: 0, blob: 2, blob_chunk: 2, dropped_blob: 0 })
})

test('a message can refer to very many files, once each', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const url = await upload(hamlet)
  const { id } = await hamlet.says(Array.from({ length: 150 }, () => link(url)).join(' '))
  assert.deepEqual(await usedIn(hamlet), [[id]])
  assert.equal(await statusFor(w, iago, url), 200)
})
