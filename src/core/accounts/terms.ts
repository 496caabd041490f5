import * as v from 'valibot'
import { isUnset } from '../../storage/index.ts'
import { recordAct } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { type Caller, type Context, contextOf, type SystemTx } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { integer } from '../kernel/fields.ts'
import { servedHtml } from '../kernel/public-url.ts'
import { inSlices } from '../kernel/slices.ts'
import { renderPlain } from '../markup/render/render-plain.ts'
import { settingsOf } from '../settings/organization.ts'
import { endKeys } from './keys.ts'

export const termsShape = v.strictObject({
  version: integer,
  /** Markdown. */
  content: v.string(),
  /** HTML. */
  rendered_content: v.string(),
})
export type Terms = v.InferOutput<typeof termsShape>

/** Returns what people accept before they use the organization; null if there is nothing to accept. */
export async function termsOf(context: Context): Promise<Terms | null> {
  const { terms_text: content, terms_version: version } = await settingsOf(context)
  if (content.trim() === '') return null
  return { version, content, rendered_content: servedHtml(context.chat, renderPlain(content)) }
}

/** Throws unless a newcomer accepts the current terms. */
export async function requireTermsAccepted(context: Context, accepted: number | null | undefined): Promise<void> {
  const terms = await termsOf(context)
  if (terms && accepted !== terms.version) throw notAccepted(terms)
}

const notAccepted = ({ version }: Terms): ChatError =>
  new ChatError('TERMS_NOT_ACCEPTED', 'Accept the terms of the organization to continue.', { version })

/** Records which version an account has accepted. */
export async function noteAccepted(tx: SystemTx, user_id: number): Promise<void> {
  const terms = await termsOf(tx)
  if (!terms) return
  const row = { version: terms.version, accepted_at: seconds(tx.chat.clock) }
  await tx.db
    .insertInto('terms_acceptance')
    .values({ user_id, ...row })
    .onConflict((oc) => oc.column('user_id').doUpdateSet(row))
    .execute()
  await recordAct(tx, {
    action: 'acceptTerms',
    subject_kind: 'user',
    subject_id: user_id,
    actor_id: user_id,
    after: { version: terms.version },
  })
}

/** Returns the terms that the caller has yet to accept. */
export const termsDue = (caller: Caller): Promise<Terms | undefined> => termsDueFor(caller, caller.user.id)

async function termsDueFor(context: Context, user_id: number): Promise<Terms | undefined> {
  const terms = await termsOf(context)
  if (!terms) return undefined
  const row = await context.db
    .selectFrom('terms_acceptance')
    .select('version')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row && row.version >= terms.version ? undefined : terms
}

/**
 * Throws TERMS_NOT_ACCEPTED for a browser's session whose account has yet to accept the terms. Other clients couldn't ask.
 */
export async function requireTerms(caller: Caller): Promise<void> {
  if (caller.key_id === undefined) return
  const due = await termsDue(caller)
  if (!due) return
  const session = await caller.db
    .selectFrom('api_key')
    .select('id')
    .where('id', '=', caller.key_id)
    .where('kind', '=', 'session')
    .executeTakeFirst()
  if (session) throw notAccepted(due)
}

/**
 * Throws AUTHENTICATION_FAILED if an app may not sign in to an account because its owner has yet to accept the terms, which are
 * required by now. Apps can't ask for them.
 */
export async function requireTermsOfApps(context: Context, user_id: number): Promise<void> {
  if (!(await areRequired(context)) || !(await termsDueFor(context, user_id))) return
  throw new ChatError(
    'AUTHENTICATION_FAILED',
    'Accept the terms of the organization first. Sign in to the web client to read them',
  )
}

/** Returns whether the day has come from which apps need the terms to be accepted, too. */
async function areRequired(context: Context): Promise<boolean> {
  const { terms_required_after } = await settingsOf(context)
  return terms_required_after !== null && terms_required_after <= seconds(context.chat.clock)
}

/**
 * Signs people out who have yet to accept the terms when these are required: of all browsers and apps in which they signed in
 * before. In a browser they sign in again and accept them. Limited keys of programs stay.
 */
export async function endKeysWithoutTerms(chat: Chat): Promise<void> {
  const context = contextOf(chat)
  const terms = await termsOf(context)
  if (!terms || !(await areRequired(context))) return
  const { terms_required_after } = await settingsOf(context)
  const keys = await context.db
    .selectFrom('api_key')
    .innerJoin('user', 'user.id', 'api_key.user_id')
    .leftJoin('terms_acceptance', 'terms_acceptance.user_id', 'api_key.user_id')
    .select(['api_key.id', 'api_key.user_id', 'api_key.name'])
    .where('api_key.kind', '!=', 'token')
    .where('api_key.created_at', '<', terms_required_after)
    .where('user.bot_type', 'is', null)
    .where('user.is_system_bot', '=', isUnset)
    .where((eb) =>
      eb.or([eb('terms_acceptance.version', 'is', null), eb('terms_acceptance.version', '<', terms.version)]),
    )
    .execute()
  await inSlices(context, keys, 50, async (tx, slice) => {
    for (const { id, user_id, name } of slice) {
      if (!(await termsDueFor(tx, user_id)) || (await endKeys(tx, user_id, { only: [id] })) === 0) continue
      const about = { subject_kind: 'key', subject_id: id, before: { name } } as const
      await recordAct(tx, { action: 'endApiKey', ...about, after: { terms_version: terms.version } })
    }
  })
}

/**
 * Accepts the terms for the caller.
 *
 * @param version - the version that was shown
 * @throws ChatError BAD_REQUEST unless it is the current one
 */
export const acceptTerms = (caller: Caller, version: number): Promise<void> =>
  caller.write(async (tx) => {
    const due = await termsDue(tx)
    if (due && due.version !== version) throw badRequest('The terms have changed. Read them again.')
    if (due) await noteAccepted(tx, tx.user.id)
  })
