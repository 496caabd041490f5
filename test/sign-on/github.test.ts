import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { createApp } from '../../src/http/app.ts'
import type { AskNamedServer } from '../../src/network/provider.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { ORIGIN } from './scene.ts'

interface Address {
  email: string
  primary: boolean
  verified: boolean
}

/** GitHub's documented responses. */
function github({ id = 583231, name = 'The Hub Cat' as string | null, emails = [] as readonly Address[] } = {}) {
  const state = { challenge: '', asked: [] as string[], token: undefined as unknown, user: undefined as unknown }
  const ask: AskNamedServer = async ({ url, body, headers }) => {
    const { pathname } = new URL(url)
    state.asked.push(pathname)
    const json = (value: unknown) => ({
      status: 200,
      headers: {},
      bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    })
    if (pathname === '/login/oauth/access_token') {
      const form = new URLSearchParams(body)
      const right = createHash('sha256').update(form.get('code_verifier')!).digest('base64url') === state.challenge
      const isCode = right && form.get('code') === 'right' && form.get('client_secret') === 'hush'
      return json(
        state.token ?? (isCode ? { access_token: 'gho_1', token_type: 'bearer' } : { error: 'bad_verification_code' }),
      )
    }
    assert.equal(headers.authorization, 'Bearer gho_1')
    assert.equal(headers['user-agent'], 'chat-server')
    if (pathname === '/user') return json(state.user ?? { id, name, login: 'cat' })
    return json(emails)
  }
  return { state, ask }
}

async function signIn(fake: ReturnType<typeof github>, { code = 'right', trusted = ['*'] } = {}) {
  const provider = {
    name: 'github',
    preset: 'github',
    client_id: 'x',
    client_secret: 'hush',
    trusted_domains: trusted,
    create: 'allowed_domains',
  }
  const warnings: string[] = []
  const logger = { info() {}, error() {}, warn: (_: object, message: string) => void warnings.push(message) }
  const w = await world({
    chat: { publicUrl: ORIGIN, logger, signOn: { config: { providers: [provider] }, ask: fake.ask } },
  })
  const app = createApp({ chat: w.chat, publicUrl: ORIGIN })
  const start = await app.fetch(new Request(`${ORIGIN}/accounts/login/social/oidc/github`))
  const address = new URL(start.headers.get('location')!)
  fake.state.challenge = address.searchParams.get('code_challenge')!
  const cookie = start.headers.getSetCookie()[0]!.split(';')[0]!
  const back = `${ORIGIN}/complete/oidc/github?code=${code}&state=${address.searchParams.get('state')}`
  const done = await app.fetch(new Request(back, { headers: { cookie } }))
  const { members } = await w.iago.api.get('/users')
  return {
    w,
    address,
    status: done.status,
    html: await done.text(),
    warnings,
    names: members.map(({ full_name }: { full_name: string }) => full_name),
  }
}

const cat = { email: 'cat@github.com', primary: true, verified: true }

test('a person signs in with the verified primary address of GitHub', async () => {
  const { w, address, status, names } = await signIn(
    github({ emails: [{ email: 'x@example.com', primary: false, verified: true }, cat] }),
  )
  await using _ = w
  assert.equal(address.origin + address.pathname, 'https://github.com/login/oauth/authorize')
  assert.equal(address.searchParams.get('scope'), 'read:user user:email')
  assert.equal(status, 302)
  assert.ok(names.includes('The Hub Cat'))
  const settings = await apiOf(w.chat).get('/server_settings')
  assert.equal(settings.authentication_methods.github, true)
  assert.equal(settings.external_authentication_methods[0].name, 'github')
})

for (const [what, fake, sentence] of [
  ['an unverified address', github({ emails: [{ ...cat, verified: false }] }), /hasn't verified/],
  ['no primary address', github({ emails: [{ ...cat, primary: false }] }), /hasn't verified/],
  ['no name and a domain that is not trusted', github({ name: null, emails: [cat] }), /don't have an account/],
] as const) {
  test(`GitHub with ${what} creates no account`, async () => {
    const { w, status, html } = await signIn(fake, { trusted: what.endsWith('trusted') ? ['example.com'] : ['*'] })
    await using _ = w
    assert.equal(status, 400)
    assert.match(html, sentence)
  })
}

test('a wrong code and answers that nobody expects sign nobody in', async () => {
  const wrong = await signIn(github({ emails: [cat] }), { code: 'wrong' })
  await wrong.w[Symbol.asyncDispose]()
  assert.match(wrong.html, /invalid answer/)
  assert.match(wrong.warnings.join(), /bad_verification_code/)
  for (const broken of ['<html>', { id: 'x' }]) {
    const fake = github({ emails: [cat] })
    fake.state.user = broken
    const { w, status, html } = await signIn(fake)
    await w[Symbol.asyncDispose]()
    assert.equal(status, 400)
    assert.match(html, /not answering/)
  }
})
