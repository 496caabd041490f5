import assert from 'node:assert/strict'
import test from 'node:test'
import { gitlab } from '../../../src/core/bots/incoming/services/gitlab/gitlab.ts'
import { common, gitlabExamples, gitlabFiles, mr, there } from './gitlab-events.ts'
import { fixture, newest, post, withWebhook } from './receive.ts'

for (const [name, [event, topic, content]] of Object.entries(gitlabFiles)) {
  test(`turns GitLab's ${name} into a message`, async () => {
    const { w, key } = await withWebhook()
    await using _ = w
    const headers = { 'x-gitlab-event': event }
    const answer = await post(w, `gitlab?api_key=${key}&stream=general`, { json: fixture(`gitlab/${name}`), headers })
    assert.equal(answer.status, 200, answer.text)
    const after = await newest(w)
    assert.deepEqual([after.place, after.content], [`general > ${topic}`, content])
  })
}

test('announces the rest of the events of GitLab', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  for (const [event, json, topic, content] of gitlabExamples) {
    const before = await newest(w)
    const headers = { 'x-gitlab-event': event }
    const answer = await post(w, `gitlab?api_key=${key}&stream=general`, { json, headers })
    assert.equal(answer.status, 200, `${event}: ${answer.text}`)
    const after = await newest(w)
    if (topic === undefined) assert.deepEqual(after, before, event)
    else assert.deepEqual([after.place, after.content], [`general > ${topic}`, content], event)
  }
  const tried = new Set(
    [...Object.values(gitlabFiles), ...gitlabExamples].map(([event]) => event.replace('Confidential ', '')),
  )
  const alike = ['Build Hook', 'Work Item Hook', 'System Hook']
  const known = Object.keys(gitlab.events).map((event) => event.replace('Confidential ', ''))
  assert.deepEqual(
    [...new Set(known)].filter((event) => !tried.has(event) && !alike.includes(event)),
    [],
  )
})

test('leaves titles of merge requests out of topics on request, and checks the secret', async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const json = { ...common, object_attributes: { ...mr, action: 'close' } }
  const headers = { 'x-gitlab-event': 'Merge Request Hook' }
  const path = `gitlab?api_key=${key}&stream=general`
  await post(w, `${path}&use_merge_request_title=false`, { json, headers })
  const { place, content } = await newest(w)
  assert.deepEqual([place, content], ['general > elsinore / MR !4', `Yorick closed [MR !4 Dig](${there}/m/4).`])
  await w.people.hamlet.api.patch(`/bots/${bot_id}`, { config_data: { gitlab_secret: 'skull' } })
  assert.equal((await post(w, path, { json, headers })).status, 401)
  assert.equal((await post(w, path, { json, headers: { ...headers, 'x-gitlab-token': 'skull' } })).status, 200)
})
