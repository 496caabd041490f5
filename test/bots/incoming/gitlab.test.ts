import assert from 'node:assert/strict'
import test from 'node:test'
import { fixture, newest, post, withWebhook } from './receive.ts'

const there = 'https://gitlab.example.com'

/** By file: the kind of event, the topic, and the message; undefined for none. */
const expected: Readonly<Record<string, readonly [event: string, topic?: string, content?: string]>> = {
  push: [
    'Push Hook',
    'elsinore / main',
    `Yorick [pushed](${there}/dane/elsinore/-/compare/${'a'.repeat(40)}...${'b'.repeat(40)}) 1 commit to branch \`main\`.\n\n* Dig ([bbbbbbb](${there}/c/b))`,
  ],
  'push-deleted': ['Push Hook', 'elsinore / ghost', 'Yorick deleted the branch `ghost`.'],
  tag_push: ['Tag Push Hook', 'elsinore / v1', 'Yorick pushed the tag `v1`.'],
  issue: [
    'Issue Hook',
    'elsinore / issue #9 Ghost seen',
    `Yorick opened [issue #9](${there}/i/9): **Ghost seen**\n\n~~~ quote\nTwice\n~~~`,
  ],
  merge_request: [
    'Merge Request Hook',
    'elsinore / MR !4 Dig deeper',
    `Yorick opened [MR !4](${there}/m/4): **Dig deeper**, from \`grave\` to \`main\`.`,
  ],
  'merge_request-merged': ['Merge Request Hook', 'elsinore / MR !4 Dig deeper', `Yorick merged [MR !4](${there}/m/4).`],
  note: [
    'Note Hook',
    'elsinore / MR !4 Dig deeper',
    `Yorick [commented](${there}/m/4#n) on [MR !4](${there}/dane/elsinore/-/merge_requests/4).\n\n~~~ quote\nWhy?\n~~~`,
  ],
  pipeline: ['Pipeline Hook', 'elsinore / main', `The [pipeline 31](${there}/p/31) on \`main\` ended: **failed**.`],
  'pipeline-running': ['Pipeline Hook'],
  job: ['Job Hook', 'elsinore / main', 'The job `dig` on `main` **failed**.'],
  release: [
    'Release Hook',
    'elsinore / releases',
    `The release [First](${there}/r/v1) of the tag \`v1\` was published.\n\n~~~ quote\nAll\n~~~`,
  ],
}

for (const [name, [event, topic, content]] of Object.entries(expected)) {
  test(`turns GitLab's ${name} into ${topic === undefined ? 'no message' : 'a message'}`, async () => {
    const { w, key } = await withWebhook()
    await using _ = w
    const before = await newest(w)
    const headers = { 'x-gitlab-event': event }
    const answer = await post(w, `gitlab?api_key=${key}&stream=general`, { json: fixture(`gitlab/${name}`), headers })
    assert.equal(answer.status, 200, answer.text)
    const after = await newest(w)
    if (topic === undefined) assert.deepEqual(after, before)
    else assert.deepEqual([after.place, after.content], [`general > ${topic}`, content])
  })
}
