import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { uploadFile } from '../../src/index.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { bytesOf, fetchAs, noise, stored, sweepNow, upload } from './files.ts'

const MIB = 1024 * 1024
const nothing = { file: 0, upload: 0, blob: 0, blob_chunk: 0, dropped_blob: 0 }

test('returns uploaded bytes unchanged at any size', async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (const size of [0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 3 * MIB + 17]) {
    const bytes = noise(size)
    const response = await fetchAs(w, hamlet, await upload(hamlet, bytes, 'x.bin'))
    assert.equal(response.status, 200)
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), String(size))
  }
})

test('the response has the URL twice and the name, and nothing else', async () => {
  await using w = await world()
  const { status: _, ...answer } = await w.people.hamlet.api.upload('/user_uploads', bytesOf('x'), 'a b.txt')
  assert.match(answer.url, /^\/user_uploads\/1\/[0-9a-f]{2}\/\w{24}\/a-b\.txt$/)
  assert.deepEqual(answer, { result: 'success', msg: '', url: answer.url, uri: answer.url, filename: 'a b.txt' })
})

test('any file name gives a safe, working URL', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const names: [given: string, shown: string, inAddress: string][] = [
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['C:\\Users\\x\\résumé.pdf', 'résumé.pdf', 'résumé.pdf'],
    ['..', '..', 'uploaded-file'],
    ['', 'uploaded-file', 'uploaded-file'],
    ['日本語 文書.txt', '日本語 文書.txt', '日本語-文書.txt'],
    ['a%2f..%00?#&<script>.html', 'a%2f..%00?#&<script>.html', 'a2f..00script.html'],
    ['not \u202etxt.exe', 'not txt.exe', 'not-txt.exe'],
    ['👩‍👩‍👧.png', '👩‍👩‍👧.png', '.png'],
    [`${'n'.repeat(5000)}.tar.gz`, `${'n'.repeat(97)}.gz`, `${'n'.repeat(97)}.gz`],
    [
      `${'ﷺ'.repeat(90)}.txt`,
      `${'ﷺ'.repeat(90)}.txt`,
      `${'ﷺ'.normalize('NFKC').replaceAll(' ', '-').repeat(9).slice(0, 96)}.txt`,
    ],
    ['con', 'con', 'con'],
  ]
  for (const [given, shown, inAddress] of names) {
    const { url, filename } = await hamlet.api.upload('/user_uploads', bytesOf('x'), given)
    assert.equal(filename, shown)
    assert.equal(url.split('/').at(-1), inAddress)
    assert.equal((await fetchAs(w, hamlet, encodeURI(url))).status, 200, url)
  }
})

test('rejects missing, multiple and oversized files and leaves nothing', async () => {
  await using w = await world({ chat: { maxFileUploadSizeMib: 1 } })
  const { hamlet } = w.people
  const two = new FormData()
  two.append('a', new Blob(['1']), 'a')
  two.append('b', new Blob(['2']), 'b')
  const asked: [BodyInit | undefined, number, string][] = [
    [undefined, 400, 'You must specify a file to upload'],
    [new FormData(), 400, 'You must specify a file to upload'],
    [two, 400, 'You may only upload one file at a time'],
  ]
  for (const [body, status, msg] of asked) {
    const response = await fetchAs(w, hamlet, '/api/v1/user_uploads', { method: 'POST', ...(body && { body }) })
    assert.deepEqual([response.status, (await response.json()).msg], [status, msg])
  }
  for (const size of [MIB + 1, 5 * MIB]) {
    const large = await hamlet.api.upload('/user_uploads', noise(size))
    assert.deepEqual(
      [large.status, large.code, large.msg],
      [413, 'TOO_LARGE', 'Uploaded file is larger than the allowed limit of 1 MiB'],
    )
  }
  await sweepNow(w, 1)
  assert.deepEqual(await stored(w), nothing)
})

test('rejects uploads without an account or from a deactivated one', async () => {
  await using w = await world()
  const body = new FormData()
  body.append('f', new Blob(['x']), 'x')
  assert.equal((await fetchAs(w, undefined, '/api/v1/user_uploads', { method: 'POST', body })).status, 401)
  await w.people.iago.api.delete(`/users/${w.people.polonius.id}`)
  assert.equal((await w.people.polonius.api.upload('/user_uploads', bytesOf('x'))).code, 'USER_DEACTIVATED')
  assert.deepEqual(await stored(w), nothing)
})

/** A file whose sender goes away in the middle. */
async function* cutOff(size: number) {
  yield noise(size)
  throw new Error('gone')
}
const send = (who: Person, chunks: AsyncIterable<Uint8Array>) =>
  uploadFile(who, { filename: { name: 'x', content_type: '', chunks } })

test('an interrupted upload leaves nothing', async () => {
  await using w = await world()
  await assert.rejects(send(w.people.hamlet, cutOff(MIB)), /gone/)
  await sweepNow(w, 1)
  assert.deepEqual(await stored(w), nothing)
})

test('removes the remains of a crashed upload after an hour', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await storeOf(w.chat).write(async ({ db }) => {
    const blob = { size: 1, content_type: 'x', created_at: 0 }
    const { id: blob_id } = await db.insertInto('blob').values(blob).returning('id').executeTakeFirstOrThrow()
    await db
      .insertInto('blob_chunk')
      .values({ blob_id, seq: 0, data: noise(1) })
      .execute()
    const about = { owner_id: hamlet.id, name: 'x', content_type: 'x', token: null, size: null, received: 1 }
    const expires_at = Math.floor(w.clock.now() / 1000) + 3600
    await db
      .insertInto('upload')
      .values({ ...about, blob_id, expires_at })
      .execute()
  })
  await sweepNow(w, 3599)
  assert.equal((await stored(w)).upload, 1)
  await sweepNow(w, 1)
  assert.deepEqual(await stored(w), nothing)
})

test('rejects an upload whose account is deactivated partway', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  async function* slow() {
    yield noise(MIB)
    await iago.api.delete(`/users/${hamlet.id}`)
    yield noise(MIB)
  }
  await assert.rejects(send(hamlet, slow()), { code: 'USER_DEACTIVATED' })
  await sweepNow(w, 3600)
  assert.deepEqual(await stored(w), nothing)
})

test('rejects one of two simultaneous uploads when only one fits', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  await iago.api.patch('/realm', { upload_quota_mib: 2 })
  async function* slow(size: number) {
    for (let left = size; left > 0; left -= 65_536) {
      yield noise(65_536)
      await new Promise(setImmediate)
    }
  }
  const results = await Promise.allSettled([send(hamlet, slow(1.5 * MIB)), send(cordelia, slow(1.5 * MIB))])
  const refused = results.filter((one) => one.status === 'rejected')
  assert.ok(refused.length >= 1)
  for (const { reason } of refused) assert.equal(reason.code, 'REALM_UPLOAD_QUOTA')
  const { upload_space_used } = await hamlet.api.get('/attachments')
  assert.ok(upload_space_used <= 2 * MIB)
  await sweepNow(w, 1)
  assert.equal((await stored(w)).upload, 0)
})

test('deleting files frees quota', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await iago.api.patch('/realm', { upload_quota_mib: 1 })
  await upload(hamlet, noise(MIB))
  assert.equal((await hamlet.api.upload('/user_uploads', noise(1))).code, 'REALM_UPLOAD_QUOTA')
  const { attachments, upload_space_used } = await hamlet.api.get('/attachments')
  assert.equal(upload_space_used, MIB)
  await hamlet.api.delete(`/attachments/${attachments[0].id}`)
  await upload(hamlet, noise(MIB))
  assert.equal((await hamlet.api.get('/attachments')).upload_space_used, MIB)
})

test('reports the limits that are enforced', async () => {
  await using w = await world({ chat: { maxFileUploadSizeMib: 3 } })
  const { iago } = w.people
  const shown = async () => {
    const { max_file_upload_size_mib, realm_upload_quota_mib } = await iago.api.post('/register')
    return [max_file_upload_size_mib, realm_upload_quota_mib]
  }
  assert.deepEqual(await shown(), [3, null])
  await iago.api.patch('/realm', { upload_quota_mib: 7 })
  assert.deepEqual(await shown(), [3, 7])
  await iago.api.patch('/realm', { upload_quota_mib: 'unlimited' })
  assert.deepEqual(await shown(), [3, null])
})
