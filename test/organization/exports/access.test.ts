import assert from 'node:assert/strict'
import test from 'node:test'
import { putUserSetting } from '../../../src/core/settings/user.ts'
import { everybody, maySee, type Sample, scene } from '../../access/scene.ts'
import { upload } from '../../files/files.ts'
import { type Contents, exported } from './read-archive.ts'

/** The words of an archive's messages, with those that are anywhere else in it. */
const wordsIn = (contents: Contents, samples: readonly Sample[]) => {
  const text = [...contents.files.values()].map((bytes) => Buffer.from(bytes).toString()).join('\n')
  return samples.filter(({ word }) => text.includes(word)).map(({ word }) => word)
}
const idsIn = (contents: Contents) => new Set(contents.rows('zerver_message').map(({ id }) => id))

test('an archive contains public messages, messages from consenting members, and no other stream names', async () => {
  const { w, samples } = await scene()
  await using _ = w.chat
  const ids = (list: readonly Sample[]) => list.map(({ id }) => id)
  const found = (contents: Contents) => {
    const there = idsIn(contents)
    return ids(samples.filter(({ id }) => there.has(id)))
  }
  const isOpen = ({ place }: Sample) => place === 'public' || place === 'web'
  const open = samples.filter(isOpen)
  const bots = ['bot', 'botInside'].map((name) => w.person(name).id)
  const nobody = await exported(w.chat, 'consent')
  assert.deepEqual(found(nobody), ids(open))
  assert.deepEqual(wordsIn(nobody, samples), wordsIn(nobody, open))
  for (const name of everybody) {
    const { id } = w.person(name)
    const agree = (value: boolean) => w.iago.write((tx) => putUserSetting(tx, id, 'allow_private_data_export', value))
    await agree(true)
    const contents = await exported(w.chat, 'consent')
    // Users who left for good agreed before; they were in the streams until then. Bots go with their owner.
    const sees = (sample: Sample) =>
      name === 'gone'
        ? sample.when !== undefined
        : [name, ...(name === 'iago' ? (['botInside'] as const) : [])].some((one) => maySee(one, sample)) ||
          isOpen(sample)
    const expected = samples.filter(sees)
    assert.deepEqual(found(contents), ids(expected), name)
    assert.deepEqual(wordsIn(contents, samples), wordsIn(contents, expected), name)
    const streams = contents.rows('zerver_stream').map((stream) => stream.name)
    const joined = ['shared', 'protected'].filter((place) => expected.some((sample) => sample.place === place))
    for (const place of ['shared', 'protected']) assert.equal(streams.includes(place), joined.includes(place), name)
    const readers = new Set(contents.rows('zerver_usermessage').map((row) => row.user_profile))
    for (const reader of readers) assert.ok([id, ...(name === 'iago' ? bots : [])].includes(reader), name)
    await agree(false)
  }
  assert.deepEqual(found(await exported(w.chat, 'public')), ids(open))
  assert.deepEqual(found(await exported(w.chat, 'full')), ids(samples))
})

test('an archive contains files with their messages and personal data with its owner', async () => {
  const { w, samples } = await scene()
  await using _ = w.chat
  const { hamlet } = w.people
  const paths = new Map<string, number>()
  for (const sample of samples) {
    const url = await upload(hamlet)
    await hamlet.api.patch(`/messages/${sample.id}`, { content: `A word: ${sample.word} [it](${url})` })
    paths.set(url.replace('/user_uploads/', ''), sample.id)
  }
  await hamlet.api.post('/saved_snippets', { title: 'Mine', content: 'private words' })
  await hamlet.api.post('/navigation_views', { fragment: 'inbox', is_pinned: false })
  await hamlet.api.post('/reminders', { message_id: samples[0]!.id, scheduled_delivery_timestamp: 4_000_000_000 })
  const inside = w.person('inside')
  await inside.api.post('/saved_snippets', { title: 'Theirs', content: 'their words' })
  await inside.api.post('/messages/flags', { messages: [samples[0]!.id], op: 'add', flag: 'starred' })
  await inside.api.post('/users/me/alert_words', { alert_words: ['secret word'] })
  for (const kind of ['public', 'consent', 'full'] as const) {
    if (kind === 'consent') await hamlet.api.patch('/settings', { allow_private_data_export: true })
    const contents = await exported(w.chat, kind)
    const messages = idsIn(contents)
    const expected = [...paths].filter(([, id]) => messages.has(id)).map(([path]) => path)
    const attachments = contents.rows('zerver_attachment')
    assert.deepEqual(attachments.map((row) => row.path_id).sort(), expected.sort())
    for (const row of attachments) assert.deepEqual(row.messages, [paths.get(row.path_id)])
    assert.deepEqual(
      contents
        .json('uploads/records.json')
        .map((row: { path: string }) => row.path)
        .sort(),
      expected,
    )
    for (const path of expected) {
      assert.equal(Buffer.from(contents.files.get(`uploads/${path}`)!).toString(), 'to be or not to be')
    }
    const own = (table: string) => contents.rows(table).length
    const private_ = [own('zerver_savedsnippet'), own('zerver_alertword')]
    assert.deepEqual(private_, { public: [0, 0], consent: [1, 0], full: [2, 1] }[kind], kind)
    const ofHamlet = ['zerver_navigationview', 'zerver_scheduledmessage'].map(own)
    assert.deepEqual(ofHamlet, kind === 'public' ? [0, 0] : [1, 1], kind)
  }
})
