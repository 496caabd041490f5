import assert from 'node:assert/strict'
import test from 'node:test'
import { fetchAs, upload } from '../files/files.ts'
import { maySee, readers, scene } from './scene.ts'

test('serves a file only to users who can see a message that refers to it', async () => {
  const { w, samples } = await scene()
  await using _ = w.chat
  const { hamlet } = w.people
  for (const sample of samples) {
    const url = await upload(hamlet)
    const content = `A word: ${sample.word} [it](${url})`
    assert.equal((await hamlet.api.patch(`/messages/${sample.id}`, { content })).msg, '')
    for (const name of readers) {
      const who = name === 'nobody' ? undefined : w.person(name)
      const expected = name === 'gone' ? 401 : maySee(name, sample) ? 200 : 403
      for (const path of [url, url.replace('/user_uploads/', '/user_uploads/download/'), `/api/v1${url}`]) {
        const { status } = await fetchAs(w, who, path)
        assert.equal(status, expected, `${name}: ${sample.place} ${sample.when ?? ''} ${path}`)
      }
    }
  }
})
