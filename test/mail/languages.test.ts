// cspell:ignore Direktnachrichten Unterhaltung bekommst diese weil Nachrichten verpasst Kiritimati vous rejoindre
import assert from 'node:assert/strict'
import test from 'node:test'
import { mailLanguages, spokenFor, textsIn } from '../../src/core/mail/texts/languages.ts'
import type { Language } from '../../src/core/mail/texts/plural.ts'
import { translations } from '../../web/texts/languages.ts'
import { linksIn, type MailWorld, mailWorld } from './mail-world.ts'

type Text = string | ((...values: never[]) => string)
type Catalog = Readonly<Record<string, Readonly<Record<string, Text>>>>

const english: Catalog = await textsIn('en')
const translated = await Promise.all(
  mailLanguages.map(async (language) => [language, await textsIn(language)] as const),
)

/** Calls it with each text of each language, and the English one. */
function everyText(check: (own: Text, english: Text, path: string, language: Language) => void): void {
  for (const [language, texts] of translated)
    for (const [group, members] of Object.entries(english))
      for (const [name, text] of Object.entries(members))
        check((texts as Catalog)[group]![name]!, text, `${group}.${name}`, language)
}

const filled = (text: Text, values: number[]): string =>
  typeof text === 'string' ? text : (text as (...values: number[]) => string)(...values)

test('emails exist in the languages of the page', () => {
  assert.deepEqual([...mailLanguages].sort(), ['en', ...Object.keys(translations)].sort())
  const codes = {
    'en-gb': 'en',
    pt: 'pt-br',
    'pt-pt': 'pt-br',
    'zh-hans': 'zh-hans',
    'zh-tw': undefined,
    ko: undefined,
  }
  for (const [code, language] of Object.entries(codes)) assert.equal(spokenFor(code), language)
})

test('each text of an email uses its names and numbers, and has a form for every number', () => {
  everyText((own, english, path, language) => {
    assert.equal(typeof own, typeof english, path)
    const values = [1041, 1042, 1043]
    for (const number of filled(english, values).match(/104\d/g) ?? [])
      assert.ok(filled(own, values).includes(number), `${language} ${path}`)
    for (const count of [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000])
      assert.doesNotMatch(filled(own, [count, 7, 8]), /undefined|NaN|\[object/, `${language} ${path}`)
  })
})

test('no text of an email is left in English', () => {
  everyText((own, english, path, language) => {
    const [text, original] = [own, english].map((each) => filled(each, [5, 6, 7]))
    if (language !== 'en' && /\p{L}/u.test(original!)) assert.notEqual(text, original, `${language} ${path}`)
  })
})

const missed = async (m: MailWorld) => {
  await m.cordelia.says('a message', { people: [m.hamlet] })
  await m.after(120)
  const [mail, ...more] = await m.sent()
  assert.deepEqual(more, [])
  return mail!
}

test('an email is in the language and the time zone of its reader', async () => {
  await using m = await mailWorld()
  const { hamlet } = m
  const timezone = 'Asia/Tokyo'
  await hamlet.api.patch('/settings', { default_language: 'de', timezone, twenty_four_hour_time: true })
  const { subject, text, html, headers } = await missed(m)
  assert.equal(subject, 'Direktnachrichten mit cordelia')
  assert.match(text, /^cordelia, 1\. Jan\. 2026, 21:\d\d GMT\+9:\n {2}a message\n\nUnterhaltung öffnen:\nhttps:/)
  assert.match(text, /\n-- \nDu bekommst diese E-Mail, weil du Nachrichten in Elsinore verpasst hast\./)
  assert.match(html, /<html lang="de">\n(?:.*\n)*<div lang="de" style=/)
  assert.equal(headers['content-language'], 'de')

  await hamlet.api.patch('/settings', { default_language: 'pt-br', twenty_four_hour_time: false })
  const brazilian = await missed(m)
  assert.match(brazilian.text, /^cordelia, 1 de jan\. de 2026, 9:\d\d PM GMT\+9:/)
  assert.equal(brazilian.headers['content-language'], 'pt-BR')
})

test('an email in Arabic runs from right to left, and each message in its own direction', async () => {
  await using m = await mailWorld()
  await m.hamlet.api.patch('/settings', { default_language: 'ar' })
  const { subject, html } = await missed(m)
  assert.equal(subject, 'رسائل مباشرة مع cordelia')
  assert.match(html, /<html lang="ar" dir="rtl">\n(?:.*\n)*<div lang="ar" dir="rtl" style=/)
  assert.match(html, /<p dir="auto"[^>]*>a message<\/p>/)
})

test("emails fall back to the organization's language", async () => {
  await using m = await mailWorld()
  const { hamlet, iago } = m
  await hamlet.api.patch('/settings', { default_language: 'ko' })
  assert.equal((await missed(m)).subject, 'DMs with cordelia')
  await iago.api.patch('/realm', { default_language: 'uk' })
  assert.equal((await missed(m)).subject, 'Особисті повідомлення: cordelia')
  // English is a choice where it isn't the organization's.
  await hamlet.api.patch('/settings', { default_language: 'en' })
  assert.equal((await missed(m)).subject, 'DMs with cordelia')
})

test('an invitation is in the language of the organization, with days in the time zone of the inviter', async () => {
  await using m = await mailWorld()
  const { iago } = m
  const invite = async (address: string) => {
    await iago.api.post('/invites', { invitee_emails: address, stream_ids: [] })
    return (await m.sent())[0]!
  }
  await iago.api.patch('/realm', { default_language: 'ja' })
  await iago.api.patch('/settings', { timezone: 'Pacific/Kiritimati' })
  const { subject, text, html } = await invite('ann@example.org')
  assert.equal(subject, 'iagoさんがElsinoreに招待しています')
  assert.match(text, /有効期限は2026年1月12日です。/)
  assert.match(html, /<html lang="ja">/)
  assert.equal(linksIn({ text }).length, 1)
  // The inviter's language, where there are no emails in the organization's.
  await iago.api.patch('/realm', { default_language: 'ko' })
  await iago.api.patch('/settings', { default_language: 'fr' })
  assert.equal((await invite('bea@example.org')).subject, 'iago vous invite à rejoindre Elsinore')
})
