import assert from 'node:assert/strict'
import test from 'node:test'
import { textsIn } from '../../../src/core/mail/texts/languages.ts'
import { parameterTypes, translated } from './texts-of.ts'

/** Names themselves, and what is inserted into messages. */
const exceptions = ['first.people.guest']

test('every Arabic text isolates the names that are put into it', () => {
  const arabic = translated.get('ar')!
  const checked = [...parameterTypes].filter(([path, types]) => types.includes('string') && !exceptions.includes(path))
  assert.ok(checked.length > 100)
  for (const [path, types] of checked) {
    const text = arabic.get(path) as (...values: unknown[]) => string
    const values = types.map((type, i) => (type === 'string' ? `name ${i}.` : type === 'number' ? 3 : ['other']))
    const made = text(...values)
    for (const [i, type] of types.entries()) {
      if (type === 'string' && made.includes(`name ${i}.`)) assert.ok(made.includes(`\u2068name ${i}.\u2069`), path)
    }
  }
})

test('Arabic texts keep isolated names and the addresses of pages', () => {
  const joinCall = translated.get('ar')!.get('pieces.insert.joinCall') as (address: string) => string
  assert.match(joinCall('https://example.com/a'), /\]\(https:\/\/example\.com\/a\)/)
  const named = translated.get('ar')!.get('first.people.named') as (names: string) => string
  assert.equal(named('\u2068Ann\u2069 \u2068Bob\u2069').match(/[\u2066-\u2069]/g)!.length, 4)
})

test('an Arabic email isolates names, and other languages have no such characters', async () => {
  const { invitation } = await textsIn('ar')
  assert.match(invitation.join('Arden & Co.'), /\u2068Arden & Co\.\u2069/)
  assert.doesNotMatch((await textsIn('de')).invitation.join('Arden & Co.'), /[\u2066-\u2069]/)
})

test('Arabic keeps isolates inside of a text, unless they would end its own', () => {
  const arabic = translated.get('ar')!
  const excerpt = arabic.get('first.inbox.excerpt') as (name: string, text: string) => string
  const date = '\u2068\u200f21/11/2026\u2069'
  assert.ok(excerpt('Ann', `See you ${date}.`).includes(`\u2068See you ${date}.\u2069`))
  for (const turned of ['a\u2069b', '\u2069\u2068', '\u2068\u2067a\u2069'])
    assert.ok(
      excerpt('Ann', turned).includes(`\u2068${turned.replace(/[\u2066-\u2069]/g, '')}\u2069`),
      JSON.stringify(turned),
    )
})
