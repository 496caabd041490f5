import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import { github } from '../../../src/core/bots/incoming/services/github/github.ts'
import { githubExamples, githubUnannounced } from './github-events.ts'
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

test('announces each event of GitHub, or says why not', async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const send = (event: string, json: unknown) =>
    post(w, `github?api_key=${key}&stream=general`, { json, headers: { 'x-github-event': event } })
  for (const { event, payload, message } of githubExamples) {
    const before = await newest(w)
    const answer = await send(event, payload)
    assert.equal(answer.status, 200, `${event}: ${answer.text}`)
    const after = await newest(w)
    if (message) assert.deepEqual([after.place, after.content], [`general > ${message[0]}`, message[1]], event)
    else assert.deepEqual(after, before, event)
  }
  for (const event of githubUnannounced) {
    assert.deepEqual((await send(event, {})).id, undefined, event)
    const [last] = (await w.people.hamlet.api.get(`/bots/${bot_id}/deliveries`)).deliveries
    assert.deepEqual([last.event, last.outcome], [event, 'ignored'])
    assert.doesNotMatch(last.detail, /are not known/)
  }
})

test('has an example for each event that it announces', () => {
  const shown = new Set(
    githubExamples.flatMap(({ event }) => (event === 'push' ? ['push_commits', 'push_tags'] : [event])),
  )
  assert.deepEqual([...shown].sort(), Object.keys(github.events).sort())
  assert.deepEqual(Object.keys(github.unannounced ?? {}).sort(), githubUnannounced)
})

test('announces a redelivery once, and requests only with the signature of a secret', async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const json = fixture('github/ping')
  const path = `github?api_key=${key}&stream=general`
  const headers = { 'x-github-event': 'ping', 'x-github-delivery': 'd1' }
  const first = await post(w, path, { json, headers })
  assert.equal((await post(w, path, { json, headers })).id, first.id)
  assert.notEqual((await post(w, path, { json, headers: { ...headers, 'x-github-delivery': 'd2' } })).id, first.id)
  await w.people.hamlet.api.patch(`/bots/${bot_id}`, { config_data: { github_secret: 'skull' } })
  const unsigned = await post(w, path, { json, headers })
  assert.deepEqual([unsigned.status, unsigned.code], [401, 'UNAUTHORIZED'])
  const signature = createHmac('sha256', 'skull').update(JSON.stringify(json)).digest('hex')
  const signed = { 'x-github-event': 'ping', 'x-hub-signature-256': `sha256=${signature}` }
  assert.equal((await post(w, path, { json, headers: signed })).status, 200)
  const wrong = { ...signed, 'x-hub-signature-256': `sha256=${signature.replace(/./g, '0')}` }
  assert.equal((await post(w, path, { json, headers: wrong })).status, 401)
  const outcomes = (await w.people.hamlet.api.get(`/bots/${bot_id}/deliveries`)).deliveries.map(
    (d: { outcome: string }) => d.outcome,
  )
  assert.deepEqual(outcomes, ['failed', 'sent', 'failed', 'sent', 'sent'])
})

test("selects events and branches by the address, and names the item where the topic doesn't", async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const opened = fixture('github/pull_request-opened')
  const push = fixture('github/push')
  const idOf = async (query: string, event: string, json: unknown) =>
    (await post(w, `github?api_key=${key}&stream=general&${query}`, { json, headers: { 'x-github-event': event } })).id
  const events = (name: string, list: string[]) => `${name}=${encodeURIComponent(JSON.stringify(list))}`
  assert.equal(await idOf(events('only_events', ['issue*']), 'pull_request', opened), undefined)
  assert.notEqual(await idOf(events('only_events', ['opened_pull_request']), 'pull_request', opened), undefined)
  assert.notEqual(await idOf(events('only_events', ['pull_request:op*']), 'pull_request', opened), undefined)
  assert.equal(await idOf(events('exclude_events', ['pull*', 'x']), 'pull_request', opened), undefined)
  assert.equal(await idOf('branches=release/*,dev', 'push', push), undefined)
  assert.notEqual(await idOf('branches=release/*,ma*n', 'push', push), undefined)
  await idOf('topic=code', 'pull_request', { ...(opened as object), action: 'reopened' })
  assert.match((await newest(w)).content, /^yorick reopened \[PR #4 Dig \*deeper\*\]/)
  const { stream_id } = await w.people.hamlet.api.get('/get_stream_id', { stream: 'general' })
  const byId = await post(w, `github?api_key=${key}&stream=${stream_id}`, {
    json: push,
    headers: { 'x-github-event': 'push' },
  })
  assert.equal(byId.status, 200)
  const { deliveries } = await w.people.hamlet.api.get(`/bots/${bot_id}/deliveries`)
  assert.match(
    deliveries.at(-1).detail,
    /selects other events than pull_request, opened_pull_request, pull_request:opened/,
  )
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
  const unheard = await post(w, path, { json: {}, headers: { 'x-github-event': 'unheard' } })
  assert.deepEqual([unheard.status, unheard.id], [200, undefined])
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
