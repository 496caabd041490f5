import assert from 'node:assert/strict'
import test from 'node:test'
import { ann, scene } from './scene.ts'

test('a name that a content filter rejects is replaced in a new account, and ignored in one that exists', async () => {
  await using s = await scene({ provider: { sync: ['name'] } })
  await s.w.iago.api.post('/content_filters', { kind: 'domain', pattern: 'spam.example', action: 'refuse' })
  const first = s.browser()
  await first.signIn({ ...ann, name: 'Buy at spam.example' })
  assert.equal((await first.me()).full_name, 'ann')
  const second = s.browser()
  await second.signIn({ ...ann, name: 'Ann Lee' })
  await second.signIn({ ...ann, name: 'spam.example' })
  assert.equal((await second.me()).full_name, 'Ann Lee')
  assert.match(s.warnings().join('\n'), /the name of an account could not be changed/)
})
