import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { root } from '../../../scripts/imports.ts'
import { subjectKinds } from '../../../src/core/kernel/audit-subjects.ts'
import { sections } from '../../../src/http/routes/api.ts'
import { compatibleSection } from '../../../src/http/routes/compatible.ts'
import { scimSection } from '../../../src/http/routes/scim.ts'
import { sessionSection } from '../../../src/http/routes/session.ts'
import { siteSection } from '../../../src/http/routes/site.ts'
import { pages } from '../../../web/texts/en/pages.ts'
import { actionName, actionWords, factName } from '../../../web/view/settings/organization/audit-words.ts'

/** Names of rows that code writes itself: `recordAct(tx, { action: 'signIn', … })`, `recordUser(tx, 'issueKey', …)`. */
const recorded = /\baction: '(\w+)'|\brecord\w+\(\w+, '(\w+)'/g

const writtenByHand = ['src/core', 'src/admin'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`${root}/${folder}/${file}`, 'utf8'))
    .filter((code) => /\brecord\w*\(/.test(code))
    .flatMap((code) => [...code.matchAll(recorded)].map(([, one, other]) => one ?? other!)),
)

const audited = [...sections, sessionSection, siteSection, compatibleSection, scimSection].flatMap(({ routes }) =>
  Object.values(routes).flatMap((row) => Object.values(row).flatMap(({ name, audit }) => (audit ? [name] : []))),
)

test('every action of the audit log has a name in the languages of the page', () => {
  assert.ok(audited.length > 90 && writtenByHand.length > 25)
  const all = new Set([...audited, ...writtenByHand])
  const missing = [...all].filter((name) => !(name in actionWords))
  assert.deepEqual(missing, [], 'Add them to web/view/settings/organization/audit-words.ts')
})

test('every word of the audit log is used', () => {
  const used = new Set<string | undefined>([...Object.values(actionWords).flat(), ...subjectKinds])
  const words = [...Object.keys(pages.auditThings), ...Object.keys(pages.auditActs)]
  assert.deepEqual(
    words.filter((word) => !used.has(word)),
    [],
  )
})

test('names actions and changed values, even if the server is newer', () => {
  assert.equal(actionName('archiveStream'), 'Channel: archive')
  assert.equal(actionName('signIn'), 'Sign-in')
  assert.equal(actionName('paintChannel'), 'Paint channel')
  assert.equal(factName('message_retention_days'), 'Message retention')
  assert.equal(factName('delivery_email'), 'Email')
  assert.equal(factName('paint_color'), 'Paint color')
})
