import assert from 'node:assert/strict'
import test from 'node:test'
import { githubEvents } from '../../../src/core/bots/incoming/github-events.ts'
import { fixture, newest, post, withWebhook } from './receive.ts'

/** By file: the topic, and the message; undefined for none. */
const expected: Readonly<Record<string, readonly [topic: string, content: string] | undefined>> = {
  push: [
    'elsinore / main',
    'yorick [pushed](https://github.com/dane/elsinore/compare/aaa...bbb) 2 commits to branch `main`.\n\n* Dig ([0000000](https://github.com/dane/elsinore/commit/000000000000000000000000000000000abcdef1))\n* Find @\u200b**hamlet** ([0000000](https://github.com/dane/elsinore/commit/0000000000000000000000000000000000000002))',
  ],
  'push-new-branch': [
    'elsinore / ghost',
    'yorick [pushed](https://github.com/dane/elsinore/compare/ghost) nothing new to the new branch `ghost`.',
  ],
  'push-deleted': ['elsinore / ghost', 'yorick deleted the branch `ghost`.'],
  'push-tag': ['elsinore / v1.0', 'yorick pushed the tag `v1.0`.'],
  create: ['elsinore / v1.0', 'yorick created the tag `v1.0`.'],
  delete: ['elsinore / ghost', 'yorick deleted the branch `ghost`.'],
  'pull_request-opened': [
    'elsinore / PR #4 Dig *deeper*',
    'yorick opened [PR #4](https://github.com/dane/elsinore/pull/4): **Dig *deeper***, from `grave` to `main`.\n\n~~~~ quote\nAlas\n~~~\nmore\n~~~~',
  ],
  'pull_request-merged': [
    'elsinore / PR #4 Dig *deeper*',
    'yorick merged [PR #4](https://github.com/dane/elsinore/pull/4).',
  ],
  'pull_request-labeled': undefined,
  pull_request_review: [
    'elsinore / PR #4 Dig *deeper*',
    'yorick [approved](https://github.com/dane/elsinore/pull/4#r1) [PR #4](https://github.com/dane/elsinore/pull/4).',
  ],
  pull_request_review_comment: [
    'elsinore / PR #4 Dig *deeper*',
    'yorick [commented](https://github.com/dane/elsinore/pull/4#c1) on [PR #4](https://github.com/dane/elsinore/pull/4).\n\n~~~ quote\nWhy?\n~~~',
  ],
  'issues-opened': [
    'elsinore / issue #9 Ghost seen',
    'yorick opened [issue #9](https://github.com/dane/elsinore/issues/9): **Ghost seen**\n\n~~~ quote\nTwice @\u200b**all**\n~~~',
  ],
  'issues-closed': [
    'elsinore / issue #9 Ghost seen',
    'yorick closed [issue #9](https://github.com/dane/elsinore/issues/9).',
  ],
  issue_comment: [
    'elsinore / issue #9 Ghost seen',
    'yorick [commented](https://github.com/dane/elsinore/issues/9#c1) on [issue #9](https://github.com/dane/elsinore/issues/9).\n\n~~~ quote\nI saw it too\n~~~',
  ],
  commit_comment: [
    'elsinore',
    'yorick [commented](https://github.com/dane/elsinore/commit/b#c) on `bbbbbbb`.\n\n~~~ quote\nNice\n~~~',
  ],
  release: [
    'elsinore / releases',
    'yorick published the release [First](https://github.com/dane/elsinore/releases/v1.0) of the tag `v1.0`.\n\n~~~ quote\nAll of it\n~~~',
  ],
  workflow_run: [
    'elsinore / main',
    'The workflow [CI](https://github.com/dane/elsinore/actions/runs/1) on `main` ended: **failure**.',
  ],
  ping: ['elsinore', 'The webhook is set up. Keep it logically awesome.'],
}

test('every GitHub event type that is announced has a recorded payload', () => {
  const kinds = new Set(Object.keys(expected).map((name) => name.split('-')[0]!))
  assert.deepEqual([...kinds].sort(), Object.keys(githubEvents).sort())
})

for (const [name, message] of Object.entries(expected)) {
  test(`turns GitHub's ${name} into ${message ? 'a message' : 'no message'}`, async () => {
    const { w, key } = await withWebhook()
    await using _ = w
    const before = await newest(w)
    const headers = { 'x-github-event': name.split('-')[0]! }
    const answer = await post(w, `github?api_key=${key}&stream=general`, { json: fixture(`github/${name}`), headers })
    assert.deepEqual([answer.status, 'id' in answer], [200, message !== undefined], answer.text)
    const after = await newest(w)
    if (!message) assert.deepEqual(after, before)
    else assert.deepEqual([after.place, after.content], [`general > ${message[0]}`, message[1]])
  })
}

test('prefers the topic in the URL, accepts forms as well as JSON, and ignores other events', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const path = `github?api_key=${key}&stream=general&topic=code`
  const form = { payload: JSON.stringify(fixture('github/ping')) }
  assert.equal((await post(w, path, { form, headers: { 'x-github-event': 'ping' } })).status, 200)
  assert.equal((await newest(w)).place, 'general > code')
  const star = await post(w, path, { json: {}, headers: { 'x-github-event': 'star' } })
  assert.deepEqual([star.status, star.id], [200, undefined])
})

test("sends to the bot's default stream, or else to its owner, when no stream is given", async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const send = () =>
    post(w, `github?api_key=${key}`, { json: fixture('github/create'), headers: { 'x-github-event': 'create' } })
  await send()
  const { place, content } = await newest(w)
  assert.deepEqual([place, content], ['direct', '**elsinore / v1.0**\nyorick created the tag `v1.0`.'])
  await w.people.hamlet.api.patch(`/bots/${bot_id}`, { default_sending_stream: 'general' })
  await send()
  assert.equal((await newest(w)).place, 'general > elsinore / v1.0')
})

test('explains what is wrong with a request', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const path = (query: string) => `github?api_key=${key}${query}`
  const json = fixture('github/ping')
  const headers = { 'x-github-event': 'ping' }
  const refusals: [Promise<{ status: number; msg?: string }>, number, string][] = [
    [post(w, 'github', { json, headers }), 401, 'Not logged in: API authentication or user session required'],
    [post(w, 'github?api_key=x', { json, headers }), 401, 'Invalid API key'],
    [post(w, path(''), { json }), 400, "Missing the HTTP event header 'X-GitHub-Event'"],
    [post(w, path('&stream=none'), { json, headers }), 400, "Stream 'none' does not exist"],
    [
      post(w, path('&stream=general'), { json: { commits: 1 }, headers: { 'x-github-event': 'push' } }),
      400,
      'This is not what an event "push" looks like (see repository).',
    ],
    [
      post(w, path(`&stream=general&topic=${'x'.repeat(61)}`), { json, headers }),
      400,
      'Topic is too long: at most 60 characters',
    ],
  ]
  for (const [answer, status, msg] of refusals) {
    const { status: got, msg: said } = await answer
    assert.deepEqual([got, said], [status, msg])
  }
})
