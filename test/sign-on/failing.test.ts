import assert from 'node:assert/strict'
import test from 'node:test'
import { signOnProblems } from '../../src/core/accounts/providers/problems.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { eventually } from '../eventually.ts'
import { ann, keycloak, scene } from './scene.ts'

test('a provider that fails is one line in the log, and a sentence of doctor until it works again', async () => {
  await using s = await scene()
  const start = () => s.browser().open('/accounts/login/social/oidc/keycloak')
  const problems = () => signOnProblems(storeOf(s.w.chat).db)
  assert.deepEqual(await problems(), [])
  s.fake.failing = () => {
    throw new Error('connect ECONNREFUSED')
  }
  for (let i = 0; i < 3; i++) assert.match((await start()).html, /not answering/)
  const about = s.warnings().filter((line) => line.startsWith('nobody can sign in'))
  assert.deepEqual(about, [
    "nobody can sign in with Company login: id.example.com can't be reached: connect ECONNREFUSED",
  ])
  const line = /^keycloak since .*: id\.example\.com can't be reached: connect ECONNREFUSED$/
  await eventually('doctor says why', async () => line.test((await problems()).join()))
  s.fake.failing = undefined
  assert.equal((await s.browser().signIn(ann)).status, 302)
  await eventually('doctor says nothing', async () => (await problems()).length === 0)
})

test('after five failures the provider is left alone for a minute', async () => {
  await using s = await scene()
  const start = () => s.browser().open('/accounts/login/social/oidc/keycloak')
  s.fake.failing = () => ({ status: 503 })
  for (let i = 0; i < 7; i++) assert.equal((await start()).status, 400)
  assert.equal(s.fake.asked.length, 5)
  s.fake.failing = undefined
  assert.equal((await start()).status, 400)
  s.clock.advance(60_000)
  assert.equal((await start()).status, 302)
})

test('wrong codes of strangers do not count as failures of the provider', async () => {
  await using s = await scene()
  for (let i = 0; i < 7; i++) {
    const browser = s.browser()
    const state = new URL(await browser.start()).searchParams.get('state')!
    const query = new URLSearchParams({ code: 'guess', state, iss: s.fake.issuer })
    assert.equal((await browser.open(`/complete/oidc/keycloak?${query}`)).status, 400)
  }
  assert.equal((await s.browser().signIn(ann)).status, 302)
})

test('a provider that fails after the sign-in there says so', async () => {
  await using s = await scene()
  const browser = s.browser()
  const back = s.fake.consent(await browser.start(), ann)
  s.fake.failing = ({ url }) => (url.endsWith('/token') ? { status: 502 } : undefined)
  assert.match((await browser.open(back)).html, /not answering/)
})

test('a provider that hangs delays nobody else', async () => {
  await using s = await scene()
  let answer = () => {}
  const hanging = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { ask } = s.fake
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  s.fake.ask = async (request) => {
    asked()
    await hanging
    return ask(request)
  }
  const waiting = s.browser().open('/accounts/login/social/oidc/keycloak')
  await isAsked
  await s.w.hamlet.says('hello', { stream: 'general', topic: 'greetings' })
  answer()
  assert.equal((await waiting).status, 302)
})

test('a wrong client secret is logged, and the page shows no details', async () => {
  await using s = await scene({ provider: { client_secret: 'wrong' } })
  const shown = await s.browser().signIn(ann)
  assert.equal(shown.status, 400)
  assert.ok(!shown.html.includes('invalid_client'))
  assert.match(s.warnings().join(), /a sign-in failed/)
  assert.ok(!JSON.stringify(s.log).includes('"wrong"'))
})

test('without providers nothing is configured, and their pages say so', async () => {
  await using s = await scene({ file: { providers: [] } })
  assert.match((await s.browser().open(`/accounts/login/social/oidc/${keycloak.name}`)).html, /no such sign-in service/)
})
