import assert from 'node:assert/strict'
import test from 'node:test'
import { operations } from '../../bench/stalls/operations/all.ts'
import { routes } from '../../src/http/routes/api.ts'

/** Operations with lists that stay short, or that take the same way as one that is measured. */
const notMeasured: Record<string, string> = {
  changeStreamGroup: 'the rows and the event of createStreamGroup',
  confirmOwnTotp: 'ten codes',
  createChannel: 'the people of subscribe, in one write',
  createInviteLink: 'the rows of sendInvites without the invitations',
  createLinkifier: 'at most 20 templates',
  createScheduledMessage: 'at most 100 people',
  devListUsers: 'not on a server of an organization: people of --dev',
  getAlertWords: 'what adding as many alert words answers',
  getMessage: 'one message',
  getServerSettings: 'a fixed list',
  getStorage: 'at most 10,000,000 characters, read as one row a key',
  getStream: 'one stream',
  getUserChannels: 'ids only',
  listApiKeys: 'at most 100',
  listAudit: 'at most 1,000 entries, each of which is one row',
  listAttachments: 'rows of one user, at most 20,000, made as those of drafts',
  listBotCommands: 'at most 1,000, each of at most 332 characters',
  listFeeds: 'at most 20',
  listBots: 'those of one user, or of all for administrators, made as users are',
  listChannelFolders: 'at most 1,000',
  listDeliveries: 'twenty, each with at most 65,536 characters',
  listDomains: 'entered one by one by administrators',
  addPasskey: 'ten codes',
  beginConfirmation: 'at most 20 passkeys',
  beginPasskey: 'at most 20 passkeys',
  listPasskeys: 'at most 20',
  listLinkedAccounts: 'as many as the organization has identity providers, or a few more',
  unlinkAccountsOf: 'as many as listLinkedAccounts',
  createApiKey: 'at most 100 channels, which are in memory',
  listPinnedMessages: 'at most 100',
  listHeldMessages: 'at most 50, each with one message',
  listContentFilters: 'at most 500, each with at most 500 characters',
  listExportConsents: 'two values a user, made as users are',
  listExports: 'at most a few a week',
  listOwnExports: 'the newest one',
  getImport: 'at most some hundred kinds of remarks',
  inviteNewcomers: 'slices of 50 links, each stored as that of createPasswordLink',
  listImportPeople: 'at most 200',
  listImports: 'imports, which owners begin one by one, and at most 1,000 names of files',
  updateImportJob: 'at most 200 people',
  listFailures: 'the newest hundred',
  listInvites: 'entered by people, at most 100 a request, and they end',
  listMail: 'at most 200 emails, and the addresses that a mail server rejected',
  listLinkifiers: 'what sending with 1,000 linkifiers reads',
  listProfileFields: 'at most 1,000',
  listNavigationViews: 'at most 1,000',
  listReports: 'at most 50, each with one message and 100 reasons of 1,000 characters',
  listReminders: 'made as drafts are',
  listSavedSnippets: 'made as drafts are',
  listScheduledMessages: 'made as drafts are',
  testSignOnProvider: 'a few hints',
  listSignOnProviders: 'at most 50 of the file and 50 of the page',
  listWebhookTemplates: 'at most 100, each of at most 30,000 characters',
  listWebPushSubscriptions: 'the browsers of one user',
  listSubgroups: 'ids only, as listMembers',
  receiveWebhook: 'at most 1 MiB of JSON becomes one message',
  moderateUser: 'at most six actions; deletions are slices of 200 messages, as those of deactivateUser',
  removeProfileData: 'at most 1,000 fields',
  removeStorage: 'at most 10,000,000 characters',
  replaceRecoveryCodes: 'ten codes',
  reorderChannelFolders: 'at most 1,000, stored as reorderLinkifiers does',
  reorderProfileFields: 'at most 1,000, stored as reorderLinkifiers does',
  setTyping: 'at most 100 people',
  streamEvents: 'the way of getEvents',
  updateDraft: 'one draft',
  updateGroup: 'permissions: people who are named one by one',
  updateLinkifier: 'at most 20 templates',
  updateOrganization: 'permissions: people who are named one by one',
  updateProfileData: 'at most 1,000 fields',
  updateScheduledMessage: 'at most 100 people',
  updateSettings: 'the settings of others are changed in several writes',
  updateUserByEmail: 'the way of updateUser',
}

interface Schema {
  type: string
  entries?: Record<string, Schema>
  wrapped?: Schema
  options?: readonly Schema[]
  pipe?: readonly Schema[]
}

/** Whether a value of this schema is, or has, a list. */
function hasList(schema: Schema): boolean {
  const { type, entries, wrapped, options, pipe } = schema
  const inner = [
    ...Object.values(entries ?? {}),
    ...(wrapped ? [wrapped] : []),
    ...(Array.isArray(options) ? options : []),
    ...(pipe ?? []).filter((step) => step !== schema),
  ]
  return type === 'array' || inner.some((part) => typeof part === 'object' && hasList(part))
}

const withLists = Object.values(routes)
  .flatMap((methods) => Object.values(methods))
  .filter(({ params, result }) => hasList(params as unknown as Schema) || hasList(result as unknown as Schema))
  .map(({ name }) => name)

test('measures stalls for every operation that accepts or returns long lists', () => {
  const measured = new Set(operations.map(({ action }) => action))
  const missing = new Set(withLists.filter((name) => !measured.has(name) && !(name in notMeasured)))
  assert.deepEqual([...missing], [])
})

test('unmeasured operations exist and are not measured', () => {
  const names = new Set(withLists)
  const measured = new Set(operations.map(({ action }) => action))
  assert.deepEqual(
    Object.keys(notMeasured).filter((name) => !names.has(name) || measured.has(name)),
    [],
  )
  const known = new Set(Object.values(routes).flatMap((methods) => Object.values(methods).map(({ name }) => name)))
  assert.deepEqual(
    [...measured].filter((name) => name !== undefined && !known.has(name)),
    [],
  )
})
