import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { addUser, type NewUser } from '../../src/core/accounts/create.ts'
import { systemCaller } from '../../src/core/accounts/create-organization.ts'
import { issueKey } from '../../src/core/accounts/keys.ts'
import { issuePasswordLink, NEVER, openSetUp, setUpToken } from '../../src/core/accounts/password-links.ts'
import { hashPassword } from '../../src/core/accounts/passwords.ts'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { thumbnailerOf } from '../../src/core/files/thumbnailer.ts'
import { publicUrlOf } from '../../src/core/kernel/public-url.ts'
import { roles } from '../../src/core/kernel/roles.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { unsubscribeUrl } from '../../src/core/mail/unsubscribe-link.ts'
import { mailWorkerOf } from '../../src/core/messages/send/message-workers.ts'
import { putSetting } from '../../src/core/settings/organization.ts'
import { API_PREFIX, type App } from '../../src/http/app.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { PASSWORD, type Person, personOf } from '../../src/testing/person.ts'
import type { World } from '../../src/testing/world.ts'
import { authenticator } from '../accounts/authenticator.ts'
import { onePixelPng } from '../fixtures/images.ts'
import { linksIn } from '../mail/mail-world.ts'
import { appSecrets } from '../push/device.ts'

const largePng = async () =>
  Uint8Array.from(
    await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )

/** A request that succeeds in the world as it is now, unless earlier random requests forbid it. */
export interface Recipe {
  /** Who sends it; nobody for a visitor. */
  as?: Person
  params: Readonly<Record<string, unknown>>
}
export type Recipes = Readonly<Record<string, () => Promise<Recipe>>>

/**
 * Returns how to ask for what single random values hardly ever add up to: several that belong together, and tokens
 * that work once. Each recipe makes accounts of its own, because random requests deactivate the others.
 */
export function recipesFor(w: World, app: App, mails: readonly Mail[]): Recipes {
  let made = 0
  const address = () => `fresh${made++}@example.com`
  const fresh = async (role: keyof typeof roles = 'member'): Promise<Person> => {
    const password_hash = await hashPassword(PASSWORD, w.chat.options.passwordCost)
    const account: NewUser = { email: address(), full_name: `Fresh ${made}`, role: roles[role], password_hash }
    return (await systemCaller(w.chat)).write(async (tx) => {
      const user = await addUser(tx, account)
      return personOf(w.chat, user, await issueKey(tx, user.id))
    })
  }
  const by = async (role: keyof typeof roles, params: (who: Person) => object | Promise<object>): Promise<Recipe> => {
    const as = await fresh(role)
    return { as, params: { ...(await params(as)) } }
  }
  const provider = { issuer: 'https://id.example.com', client_id: 'chat' }
  const addProvider = async ({ api }: Person): Promise<number> =>
    (await api.post('/sign_on/providers', { name: `p${made++}`, provider, password: PASSWORD })).id
  /** Links an account of an identity provider. Returns the ID of the link. */
  const linkedTo = async (who: Person): Promise<number> =>
    who.write(async ({ db }) => {
      const row = { user_id: who.id, issuer: 'https://id.example.com', subject: address(), provider: 'p', email: null }
      const times = { created_at: 0, last_used_at: 0 }
      return (
        await db
          .insertInto('identity')
          .values({ ...row, ...times })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    })
  const newPassword = { password: PASSWORD, password_again: PASSWORD }

  /** The token of the link in the email to this address. */
  const tokenTo = async (to: string): Promise<string> => {
    await mailWorkerOf(w.chat)!.settled()
    const mail = mails.findLast((one) => one.to.address === to)
    return new URL(linksIn(mail!)[0]!).searchParams.get('token')!
  }
  const confirmation = async () => {
    const [who, email] = [await fresh(), address()]
    await who.api.patch('/settings', { email })
    return { params: { token: await tokenTo(email) } }
  }
  const undo = async () => {
    const who = await fresh()
    await who.api.patch('/settings', { email: address() })
    return { params: { token: await tokenTo(who.email) } }
  }

  const codeAt = (secret: string, later: number) => codeOf(secret, stepAt(w.clock.now() / 1000) + later)
  /** Somebody with a second factor, and a code of theirs. */
  const protectedPerson = async () => {
    const as = await fresh()
    const { secret } = await as.api.post('/users/me/totp', { password: PASSWORD })
    await as.api.post('/users/me/totp/confirm', { code: codeAt(secret, 0) })
    return { as, code: codeAt(secret, 1) }
  }
  const heldBy = async (owner: Person, author: Person): Promise<number> => {
    await owner.api.patch('/realm', { hold_first_messages: 50 })
    const answer = await author.api.post('/messages', { type: 'direct', to: [owner.id], content: 'words' })
    await owner.api.patch('/realm', { hold_first_messages: 0 })
    return answer.held_message_id
  }
  const withCode = async () => {
    const { as, code } = await protectedPerson()
    return { as, params: { password: PASSWORD, code } }
  }

  const invitation = async () => {
    const { api } = await fresh('owner')
    const { invite_link } = await api.post('/invites/multiuse', { stream_ids: [] })
    const token = new URL(invite_link).searchParams.get('token')
    return { params: { token, email: address(), full_name: 'Yorick', ...newPassword } }
  }
  const setUp = async () => {
    const owner = await fresh('owner')
    const token = await owner.write(async (tx) => {
      const { uuid } = await tx.db.selectFrom('organization').select('uuid').executeTakeFirstOrThrow()
      await tx.db.deleteFrom('password_link').where('expires_at', '=', NEVER).execute()
      await openSetUp(tx, owner.id, uuid!)
      return setUpToken(w.chat, uuid!)
    })
    const names = { organization: 'Elsinore', full_name: 'Owner', email: address() }
    return { params: { token, ...names, ...newPassword } }
  }
  const unsubscribing = async () => ({
    params: {
      kind: 'digest',
      token: unsubscribeUrl(w.chat, { user_id: (await fresh()).id, kind: 'digest' })
        .split('/')
        .at(-1),
    },
  })

  const uploaded = async (as: Person, bytes = onePixelPng()) => {
    const { url } = await as.api.upload('/user_uploads', bytes, 'picture.png')
    const [, realm_id, filename] = /^\/user_uploads\/(\d+)\/(.*)$/.exec(url)!
    return { url: url as string, realm_id, filename: filename! }
  }

  return {
    registerPush: () =>
      by('member', async ({ api }) => {
        const { device_id } = await api.post('/register_client_device')
        const { keyFields, tokenFields } = appSecrets()
        return { device_id, ...keyFields, ...tokenFields }
      }),
    getEmailChange: confirmation,
    confirmEmailChange: confirmation,
    getConfirmEmailPage: confirmation,
    postConfirmEmailPage: confirmation,
    getEmailUndo: undo,
    undoEmailChange: undo,
    getUndoEmailPage: undo,
    postUndoEmailPage: undo,
    removeReaction: () =>
      by('member', async (who) => {
        const { id } = await who.says('hello', { people: [who] })
        await who.api.post(`/messages/${id}/reactions`, { emoji_name: 'smile' })
        return { message_id: id, emoji_name: 'smile' }
      }),
    createScheduledMessage: () =>
      by('member', ({ id }) => {
        const scheduled_delivery_timestamp = Math.floor(w.clock.now() / 1000) + 3600
        return { type: 'direct', to: [id], content: 'later', scheduled_delivery_timestamp }
      }),
    updateDraft: () =>
      by('member', async ({ api, id }) => {
        const draft = { type: 'private', to: [id], topic: '', content: 'x' }
        const { ids } = await api.post('/drafts', { drafts: [draft] })
        return { draft_id: ids[0], draft: { ...draft, content: 'y' } }
      }),
    createBot: () => by('member', () => ({ full_name: `Bot ${made}`, short_name: `fresh${made}`, bot_type: 1 })),
    updateLinkifier: () =>
      by('owner', async ({ api }) => {
        const url_template = 'https://example.com/{id}'
        const { id } = await api.post('/realm/filters', { pattern: `X${made}-(?P<id>[0-9]+)`, url_template })
        return { filter_id: id, pattern: `Y${made}-(?P<id>[0-9]+)`, url_template }
      }),
    createUser: () => by('owner', () => ({ email: address(), full_name: 'Ann', password: PASSWORD })),
    createSignOnProvider: () => by('owner', () => ({ name: `p${made++}`, provider, password: PASSWORD })),
    updateSignOnProvider: () =>
      by('owner', async (who) => ({ provider_id: await addProvider(who), provider, password: PASSWORD })),
    removeSignOnProvider: () =>
      by('owner', async (who) => ({ provider_id: await addProvider(who), password: PASSWORD })),
    testSignOnProvider: () => by('owner', () => ({ name: `p${made++}`, provider })),
    beginPasskey: () => by('member', () => ({ password: PASSWORD })),
    addPasskey: () =>
      by('member', async ({ api }) => {
        const { options } = await api.post('/users/me/passkeys/options', { password: PASSWORD })
        return { response: authenticator(new URL(publicUrlOf(w.chat)).origin).create(options), name: 'Laptop' }
      }),
    createApiKey: () => by('member', () => ({ name: 'Script', scopes: ['read'], password: PASSWORD })),
    confirmOwnTotp: () =>
      by('member', async ({ api }) => {
        const { secret } = await api.post('/users/me/totp', { password: PASSWORD })
        return { code: codeAt(secret, 0) }
      }),
    removeOwnTotp: withCode,
    replaceRecoveryCodes: withCode,
    updateReport: () =>
      by('owner', async (as) => {
        const author = await fresh()
        const { id } = await author.says('spam', { people: [as] })
        await as.api.post(`/messages/${id}/report`, { report_type: 'spam' })
        const { reports } = await as.api.get('/reports', { state: 'open' })
        return { report_id: reports[0]?.id ?? 1, state: 'taken' }
      }),
    decideHeldMessage: () =>
      by('owner', async (as) => ({ held_message_id: await heldBy(as, await fresh()), decision: 'approve' })),
    async withdrawHeldMessage() {
      const as = await fresh()
      return { as, params: { held_message_id: await heldBy(await fresh('owner'), as) } }
    },
    moderateUser: () =>
      by('owner', async () => ({ user_id: (await fresh()).id, actions: ['silence'], minutes: 5, reason: 'Loud' })),
    async unlinkAccount() {
      const as = await fresh()
      return { as, params: { linked_account_id: await linkedTo(as), password: PASSWORD } }
    },
    unlinkAccountsOf: () =>
      by('owner', async () => {
        const who = await fresh()
        await linkedTo(who)
        return { user_id: who.id }
      }),
    resetSecondFactor: () => by('owner', async () => ({ user_id: (await protectedPerson()).as.id })),
    async completeSession() {
      const { as, code } = await protectedPerson()
      const body = new URLSearchParams({ username: as.email, password: PASSWORD })
      const headers = { 'x-requested-with': 'fetch' }
      const answer = await app.fetch(new Request('http://localhost/json/session', { method: 'POST', headers, body }))
      const { ticket } = (await answer.json()) as { ticket: string }
      return { params: { ticket, code } }
    },
    addFeed: () =>
      by('owner', async ({ api }) => {
        const names = { full_name: `News ${made}`, short_name: `news${made}` }
        const { user_id } = await api.post('/bots', { ...names, bot_type: 2 })
        const { stream_id } = await api.post('/channels/create', { name: `News ${made}`, subscribers: [user_id] })
        const url = 'https://example.com/feed.xml'
        return { bot_id: user_id, kind: 'feed', url, stream: String(stream_id), topic: 'news' }
      }),
    acceptInvitation: invitation,
    postJoinPage: invitation,
    updateGroup: () =>
      by('owner', async ({ api }) => {
        const group = { name: `Fresh ${made}`, description: '', members: [] }
        const { group_id } = await api.post('/user_groups/create', group)
        return { user_group_id: group_id, name: `Renamed ${made}` }
      }),
    changeMembers: () =>
      by('owner', async ({ api, id }) => {
        const group = { name: `Fresh ${made}`, description: '', members: [] }
        const { group_id } = await api.post('/user_groups/create', group)
        return { user_group_id: group_id, add: [id] }
      }),
    createProfileField: () => by('owner', () => ({ field_type: 1, name: `Field ${made}` })),
    reorderProfileFields: () =>
      by('owner', async ({ api }) => {
        const { custom_fields } = await api.get('/realm/profile_fields')
        return { order: custom_fields.map(({ id }: { id: number }) => id) }
      }),
    createContentFilter: () => by('owner', () => ({ kind: 'word', pattern: `Word ${made}`, action: 'flag' })),
    createPlayground: () =>
      by('owner', () => {
        const url_template = 'https://example.com/{code}'
        return { name: `Playground ${made}`, pygments_language: 'Python', url_template }
      }),
    getOrganizationPicture: () =>
      by('owner', async ({ api }) => {
        await api.upload('/realm/icon', onePixelPng(), 'icon.png')
        const { realm_icon_url } = await api.post('/register', { fetch_event_types: ['realm'] })
        return { file: realm_icon_url.replace(/^.*\/|\?.*$/g, '') }
      }),
    getThumbnail: () =>
      by('member', async (who) => {
        const { realm_id, filename } = await uploaded(who, await largePng())
        await thumbnailerOf(w.chat).settled()
        const { format } = await storeOf(w.chat)
          .db.selectFrom('thumbnail')
          .select('format')
          .orderBy('file_id', 'desc')
          .executeTakeFirstOrThrow()
        return { realm_id, filename: `${filename}/${format}` }
      }),
    redirectToImage: () => by('member', async (who) => ({ url: (await uploaded(who)).url })),
    getTemporaryFile: () =>
      by('member', async (who) => {
        const { url } = await who.api.get((await uploaded(who)).url)
        const [token, filename] = new URL(url, 'http://localhost').pathname.split('/').slice(-2)
        return { token, filename: decodeURIComponent(filename!) }
      }),
    async postPasswordPage() {
      const { id } = await fresh()
      const { path } = await (await systemCaller(w.chat)).write((tx) => issuePasswordLink(tx, id))
      return { params: { token: path.split('=')[1], ...newPassword } }
    },
    async requestSignUp() {
      await (await systemCaller(w.chat)).write((tx) => putSetting(tx, 'invite_required', false))
      const visitor = new Request(`http://localhost${API_PREFIX}/sign_up/challenge`)
      const given = (await (await app.fetch(visitor)).json()) as { challenge: string; salt: string }
      let number = 0
      const hash = () => createHash('sha256').update(`${given.salt}${number}`).digest('hex')
      while (given.challenge && hash() !== given.challenge) number++
      return { params: { email: address(), challenge: { ...given, number } } }
    },
    requestPasswordReset: async () => ({ params: { email: (await fresh()).email } }),
    postPasswordResetPage: async () => ({ params: { email: (await fresh()).email } }),
    getSetUpPage: setUp,
    postSetUpPage: setUp,
    getUnsubscribePage: unsubscribing,
    postUnsubscribePage: unsubscribing,
  }
}
