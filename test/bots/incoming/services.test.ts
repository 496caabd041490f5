import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { services } from '../../../src/core/bots/incoming/table.ts'
import { createApp } from '../../../src/http/index.ts'
import { eventOf, examples } from './examples.ts'
import { newest, post, withWebhook } from './receive.ts'

test('announces the events of other services', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  for (const { service, headers, payload, message } of examples) {
    const about = `${service} ${JSON.stringify(payload).slice(0, 100)}`
    const before = await newest(w)
    const answer = await post(w, `${service}?api_key=${key}&stream=general`, {
      json: payload,
      ...(headers && { headers }),
    })
    assert.equal(answer.status, 200, `${about}: ${answer.text}`)
    const after = await newest(w)
    if (message) assert.deepEqual([after.place, after.content], [`general > ${message[0]}`, message[1]], about)
    else assert.deepEqual(after, before, about)
  }
})

test('has an example for each event of each service, and for each that becomes no message', () => {
  const shown = new Set(examples.map((example) => `${example.service} ${eventOf(example)}`))
  // GitHub's and GitLab's events have tests of their own.
  const listed = services
    .filter(({ name }) => name !== 'github' && name !== 'gitlab')
    .flatMap(({ name, events, unannounced = {} }) =>
      [...Object.keys(events), ...Object.keys(unannounced)]
        .filter((event) => event !== '*')
        .map((event) => `${name} ${event}`),
    )
  assert.deepEqual(
    listed.filter((event) => !shown.has(event)),
    [],
  )
})

test('has an example and a row of the documentation for each service', () => {
  const shown = new Set([...examples.map(({ service }) => service), 'github', 'gitlab', 'json'])
  assert.deepEqual(services.map(({ name }) => name).sort(), [...shown].sort())
  const guide = readFileSync(new URL('../../../docs/guide/webhooks.md', import.meta.url), 'utf8')
  assert.deepEqual(
    services.filter(({ name }) => !guide.includes(`\`${name}\``)).map(({ name }) => name),
    [],
  )
})

test('rejects empty payloads or ignores them, and never fails otherwise', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const odd = [{}, [], null, 'text', 7, { type: 'x', data: [] }, { action: { type: '__proto__' } }, { alerts: [null] }]
  for (const { name, eventHeader, events } of services) {
    const headers: Record<string, string> = eventHeader ? { [eventHeader]: Object.keys(events)[0]! } : {}
    for (const json of odd) {
      const { status, text } = await post(w, `${name}?api_key=${key}&stream=general`, { json, headers })
      assert.ok([200, 400].includes(status), `${name} ${JSON.stringify(json)}: ${text}`)
    }
  }
})

test('answers services that look at the address before they use it', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  for (const method of ['GET', 'HEAD']) {
    const response = await createApp({ chat: w.chat }).fetch(
      new Request(`http://localhost/api/v1/external/trello?api_key=${key}`, { method }),
    )
    assert.equal(response.status, 200)
  }
  const unknown = await w.people.hamlet.api.get('/external/pigeon', { api_key: key })
  assert.deepEqual([unknown.status, unknown.msg], [400, 'There is no integration "pigeon".'])
})

test('checks the secret of each service that signs its requests', async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const secret = 'skull'
  const now = Math.floor(w.clock.now() / 1000)
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
  const proofs: Readonly<Record<string, (body: string) => Readonly<Record<string, string>>>> = {
    bitbucket: (body) => ({ 'x-hub-signature': `sha256=${hmac(body)}` }),
    buildkite: () => ({ 'x-buildkite-token': secret }),
    circleci: (body) => ({ 'circleci-signature': `v1=${hmac(body)}` }),
    forgejo: (body) => ({ 'x-forgejo-signature': hmac(body) }),
    gitea: (body) => ({ 'x-gitea-signature': hmac(body) }),
    github: (body) => ({ 'x-hub-signature-256': `sha256=${hmac(body)}` }),
    gitlab: () => ({ 'x-gitlab-token': secret }),
    linear: (body) => ({ 'linear-signature': hmac(body) }),
    netlify: (body) => {
      const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const sha256 = createHash('sha256').update(body).digest('hex')
      const token = `${encoded({ alg: 'HS256' })}.${encoded({ iss: 'netlify', sha256 })}`
      return { 'x-webhook-signature': `${token}.${createHmac('sha256', secret).update(token).digest('base64url')}` }
    },
    pagerduty: (body) => ({ 'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${hmac(body)}` }),
    sentry: (body) => ({ 'sentry-hook-signature': hmac(body) }),
    stripe: (body) => ({ 'stripe-signature': `t=${now},v1=${hmac(`${now}.${body}`)}` }),
  }
  const signing = services.filter((service) => service.secret)
  assert.deepEqual(signing.map(({ name }) => name).sort(), Object.keys(proofs).sort())
  const config_data = Object.fromEntries(signing.map(({ secret: known }) => [known!.option, secret]))
  await w.people.hamlet.api.patch(`/bots/${bot_id}`, { config_data })
  for (const { name, eventHeader } of signing) {
    const json = { zen: 'x' }
    const event: Record<string, string> = eventHeader ? { [eventHeader]: 'unheard' } : {}
    const path = `${name}?api_key=${key}&stream=general`
    const good = proofs[name]!(JSON.stringify(json))
    const statuses = [
      (await post(w, path, { json, headers: { ...event, ...good } })).status,
      (await post(w, path, { json: { zen: 'y' }, headers: { ...event, ...proofs[name]!('other') } })).status,
      (await post(w, path, { json, headers: event })).status,
    ]
    const isToken = name === 'buildkite' || name === 'gitlab'
    assert.ok(statuses[0] !== 401, `${name}: ${statuses}`)
    assert.deepEqual(statuses.slice(1), [isToken ? 200 : 401, 401], name)
  }
})
