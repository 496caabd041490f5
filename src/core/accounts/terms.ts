import * as v from 'valibot'
import { recordAct } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Caller, Context, SystemTx } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { integer } from '../kernel/fields.ts'
import { servedHtml } from '../kernel/public-url.ts'
import { renderPlain } from '../markup/render/render-plain.ts'
import { settingsOf } from '../settings/organization.ts'

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
export async function termsDue(caller: Caller): Promise<Terms | undefined> {
  const terms = await termsOf(caller)
  if (!terms) return undefined
  const row = await caller.db
    .selectFrom('terms_acceptance')
    .select('version')
    .where('user_id', '=', caller.user.id)
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
