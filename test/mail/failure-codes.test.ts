import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { root } from '../../scripts/imports.ts'
import { mailFailureCode } from '../../src/core/mail/failure-code.ts'
import type { MailKind } from '../../src/core/mail/outbox.ts'
import { pages } from '../../web/texts/en/pages.ts'
import { failure, mailWorld } from './mail-world.ts'

/** A later version wrote such an email, so this one has no words for it either. */
const unknown = 'this version of the server does not know this kind of email'
const written = /pointless: '(.*?)'|dropMail\(tx, id, '(.*?)'\)|return '(the (?:link|account) .*?)'/g

test('every reason for which an email is not sent has a code', () => {
  const files = ['mail', 'mail/sending', 'accounts'].flatMap((folder) =>
    readdirSync(`${root}/src/core/${folder}`, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${root}/src/core/${folder}/${name}`),
  )
  const sentences = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(written)].map((match) => (match[1] ?? match[2] ?? match[3])!),
  )
  assert.ok(new Set(sentences).size > 15)
  const without = sentences.filter((sentence) => mailFailureCode(sentence) === null)
  assert.deepEqual(without, [unknown], 'Add them in src/core/mail/failure-code.ts')
  assert.equal(mailFailureCode('550 No such user'), null)
})

test('the page has a name for every kind of email', () => {
  const names: Readonly<Record<MailKind, string>> = pages.mailKinds
  assert.ok(Object.values(names).every((name) => name !== ''))
})

test('the outbox says by a code why an email was not sent', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('connection', 'refused')))
  await m.iago.api.post('/invites', { invitee_emails: 'ann@example.org', stream_ids: [] })
  await m.settled()
  const { mails } = await m.iago.api.get('/mail')
  await m.iago.api.delete(`/mail/${mails[0].id}`)
  const [dropped] = (await m.iago.api.get('/mail')).mails
  assert.deepEqual([dropped.failure, dropped.failure_code], ['dropped by an administrator', 'canceled'])
})
