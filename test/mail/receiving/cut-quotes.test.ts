// cspell:disable
import assert from 'node:assert/strict'
import test from 'node:test'
import { withoutQuotes, withoutSignature } from '../../../src/core/mail/receiving/cut-quotes.ts'

const own = (text: string): string => withoutSignature(withoutQuotes(text)).trim()

const quoting: Record<string, string> = {
  Gmail: 'On Mon, Jan 5, 2026 at 3:04 PM Chat <chat@example.com> wrote:\n\n> cordelia, Jan 5:\n>   psst\n',
  'Gmail, wrapped':
    'On Mon, Jan 5, 2026 at 3:04 PM A Very Long Name of an Organization\n<chat@example.com> wrote:\n\n> psst\n>\n> -- \n> Stop\n',
  Apple: '> On 5 Jan 2026, at 15:04, Chat <chat@example.com> wrote:\n> \n> psst\n',
  'Apple, above': 'Sent from my iPhone\n\n> On 5 Jan 2026, at 15:04, Chat <chat@example.com> wrote:\n> psst',
  Thunderbird: 'On 1/5/26 15:04, Chat wrote:\n> psst\n\n',
  German: 'Am 05.01.26 um 15:04 schrieb Chat:\n> psst\n',
  French: 'Le lun. 5 janv. 2026 à 15:04, Chat <chat@example.com> a écrit :\n\n> psst\n',
  Spanish: 'El lun, 5 ene 2026 a las 15:04, Chat (<chat@example.com>) escribió:\n\n> psst',
  Russian: 'пн, 5 янв. 2026 г. в 15:04, Chat <chat@example.com>:\n\n> psst',
  Japanese: '2026年1月5日(月) 15:04 Chat <chat@example.com>:\n\n> psst',
  Outlook:
    '________________________________\nFrom: Chat <chat@example.com>\nSent: Monday, January 5, 2026 3:04 PM\nTo: hamlet\nSubject: DMs\n\npsst',
  'Outlook, German':
    'Von: Chat <chat@example.com>\nGesendet: Montag, 5. Januar 2026 15:04\nAn: hamlet\nBetreff: DMs\n\npsst',
  'Outlook, old': '-----Original Message-----\nFrom: Chat\nSent: today\n\npsst',
  'without marks': 'On Mon, Jan 5, 2026 at 3:04 PM Chat <chat@example.com> wrote:\n\npsst\nmore',
}

for (const [program, quote] of Object.entries(quoting)) {
  test(`cuts the email that ${program} quotes`, () => {
    assert.equal(own(`Yes, I am.\n\nAnd you?\n\n${quote}`), 'Yes, I am.\n\nAnd you?')
  })
}

test('keeps quotes with answers between them', () => {
  const text = 'On 1/5/26, Chat wrote:\n> one?\n\nYes\n\n> two?\n\nNo'
  assert.equal(own(text), text)
  assert.equal(own(`${text}\n\n> three?\n`), text)
})

test('keeps text that only looks like a quote', () => {
  for (const text of [
    'On Monday we wrote:',
    'From: here on, it is fine\nTomorrow',
    '> only a quote',
    'a -- b',
    '2 > 1\n\n1 > 0',
  ])
    assert.ok(own(`Hello\n${text}\nGoodbye`).endsWith('Goodbye'), text)
})

test('takes linear time for hostile text', () => {
  const hostile = [
    'On '.repeat(60_000),
    `${'On a <b'.repeat(80)}\n`.repeat(300),
    '> \n'.repeat(60_000),
    '\n'.repeat(190_000),
    `${'1:11'.repeat(140)}\n`.repeat(300),
    'From: x\n'.repeat(20_000),
    '<'.repeat(190_000),
  ]
  // The slowest takes some tens of milliseconds. Quadratic time would be minutes.
  for (const text of hostile) own(text)
})
