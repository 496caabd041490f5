// cspell:ignore Elsinore beitreten Passwörter stimmen nicht überein Neues Passwort wählen ist bereit rejoindre Diese Einladung
import assert from 'node:assert/strict'
import test from 'node:test'
import { mailLanguages } from '../../src/core/mail/texts/languages.ts'
import { setUpPath } from '../../src/core/organization/set-up.ts'
import { createApp } from '../../src/http/index.ts'
import { pageTextsIn } from '../../src/http/page-texts/languages.ts'
import { contextOf, createOrganization, openChat } from '../../src/index.ts'
import { apiOf, world } from '../../src/testing/index.ts'

type Text = string | ((...values: string[]) => string)
type Texts = Readonly<Record<string, string | Readonly<Record<string, Text>>>>

const german = { 'accept-language': 'ko, de-AT;q=0.8, en;q=0.5' }

async function scene() {
  const w = await world()
  const app = createApp({ chat: w.chat, rateLimit: false })
  return {
    w,
    read: async (address: string, headers: Record<string, string> = {}, fields?: Record<string, string>) => {
      const body = fields && new URLSearchParams(fields)
      const answer = await app.fetch(
        new Request(address, { method: fields ? 'POST' : 'GET', headers, body: body ?? null }),
      )
      return answer.text()
    },
    invitation: async (): Promise<string> => (await w.people.iago.api.post('/invites/multiuse')).invite_link,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}

test('every page exists in each language, with its names', async () => {
  const english = (await pageTextsIn('en')) as unknown as Texts
  for (const language of mailLanguages) {
    const texts = (await pageTextsIn(language)) as unknown as Texts
    assert.equal(texts.language, language)
    for (const [group, members] of Object.entries(english)) {
      if (typeof members === 'string') continue
      for (const [name, text] of Object.entries(members)) {
        const own = (texts[group] as typeof members)[name]! as Text
        const where = `${language} ${group}.${name}`
        const filled: string[] = [own, text].map((one) => (typeof one === 'string' ? one : one('1041', '1042')))
        for (const tag of ['1041', '1042', '<link>', '</link>', '<code>', '</code>']) {
          assert.equal(filled[0]!.includes(tag), filled[1]!.includes(tag), `${where} ${tag}`)
        }
        if (language !== 'en' && !/^(?:Password|Email)$/.test(filled[1]!)) assert.notEqual(filled[0], filled[1], where)
      }
    }
  }
})

test("a page is in the first of the browser's languages that it has", async () => {
  await using s = await scene()
  const link = await s.invitation()
  const html = await s.read(link, german)
  assert.match(html, /<html lang="de">/)
  assert.match(html, /<h1>Elsinore beitreten<\/h1>/)
  const sent = { full_name: 'Ann', email: 'ann@example.com', password: 'correct horse', password_again: 'another' }
  assert.match(await s.read(link, german, sent), /Die Passwörter stimmen nicht überein\./)
  assert.match(await s.read(`${link}x`, german), /Diese Einladung/)
})

test("without a language of the browser, a page is in the organization's", async () => {
  await using s = await scene()
  const link = await s.invitation()
  assert.match(await s.read(link, { 'accept-language': '*' }), /<html lang="en">/)
  await s.w.people.iago.api.patch('/realm', { default_language: 'fr' })
  for (const accepted of ['*', 'ko', 'de;q=0', 'zh-TW']) {
    assert.match(await s.read(link, { 'accept-language': accepted }), /<html lang="fr">/, accepted)
  }
})

test("a page for an account is in the account's language", async () => {
  await using s = await scene()
  const { iago, hamlet } = s.w.people
  const { link_url } = await iago.api.post(`/users/${hamlet.id}/password_link`)
  assert.match(await s.read(link_url, german), /<h1>Neues Passwort wählen<\/h1>/)
  await hamlet.api.patch('/settings', { default_language: 'ar' })
  const html = await s.read(link_url, german)
  assert.match(html, /<html lang="ar" dir="rtl">/)
  assert.match(html, /\u2068hamlet\u2069 \(\u2068hamlet@example\.com\u2069\)/)
})

test('the page about a forgotten password does not reveal the language of an account', async () => {
  await using s = await scene()
  await s.w.people.hamlet.api.patch('/settings', { default_language: 'ar' })
  const address = 'http://localhost/accounts/password/reset'
  assert.match(await s.read(address, german, { email: 'hamlet@example.com' }), /<html lang="de">/)
})

test('an organization that is set up in a language gets it', async () => {
  await using chat = await openChat({ passwordCost: 4 })
  await createOrganization(chat, { org: 'Chat', owner_email: 'owner@localhost', owner_name: 'Owner' }, { setUp: true })
  const app = createApp({ chat, rateLimit: false })
  const address = `http://localhost${await setUpPath(contextOf(chat))}`
  const form = await (await app.fetch(new Request(address, { headers: german }))).text()
  const [, language] = /<input name="language" type="hidden" value="(.*?)">/.exec(form)!
  const given = { organization: 'Elsinore', full_name: 'Gertrude', email: 'gertrude@example.com' }
  const body = new URLSearchParams({
    ...given,
    password: 'correct horse',
    password_again: 'correct horse',
    language: language!,
  })
  const done = await app.fetch(new Request(address, { method: 'POST', body, headers: german }))
  assert.match(await done.text(), /<h1>Elsinore ist bereit<\/h1>/)
  const username = given.email
  const { api_key } = await apiOf(chat).post('/fetch_api_key', { username, password: 'correct horse' })
  const state = await apiOf(chat, { email: username, key: api_key }).post('/register', {
    fetch_event_types: ['realm', 'user_settings'],
    client_capabilities: { user_settings_object: true },
  })
  assert.equal(state.realm_default_language, 'de')
  assert.equal(state.user_settings.default_language, 'de')
  assert.equal(state.user_settings.twenty_four_hour_time, true)
})
