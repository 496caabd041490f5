import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Context, SystemTx } from '../../kernel/context.ts'
import { secretsOf } from '../../kernel/secrets.ts'
import type { Checks, Person } from '../providers/protocol.ts'

/** What the browser or app wants after the sign-in. */
export interface Goal {
  /** A path of this server; the web client by default. */
  readonly next?: string
  /** The key that the app encrypts its API key with, as 64 hex digits. */
  readonly mobile?: string
  readonly desktop?: string
  /** The digest of the session at the provider that ends what begins here. */
  readonly session?: string | undefined
}

/** What each kind of step stores, and how long it waits, in seconds. */
interface Data {
  /** The browser is at the provider. */
  provider: Goal & { provider: string; checks: Checks }
  /** The provider named somebody whose account needs its password, because the address proves nothing. */
  link: Goal & { provider: string; person: Person }
  /** The second factor is missing. */
  factor: Goal & { by: string; tries: number }
  /** A person must allow that an app gets a key. */
  app: Goal & { by: string }
  /** A token of another application was used. */
  jwt: Record<never, never>
  /** A logout token was used. */
  logout: Record<never, never>
  /** The proof of work of a sign-up was used. */
  sign_up: Record<never, never>
  /** The desktop app has the token. */
  desktop: { by: string; session?: string | undefined }
}
export type StepKind = keyof Data
// A JSON web token is valid for 300 seconds at most, and clocks may differ by 60 seconds in both directions.
const LASTS: Readonly<Record<StepKind, number>> = {
  provider: 600,
  link: 600,
  factor: 300,
  app: 300,
  desktop: 15,
  jwt: 480,
  logout: 480,
  sign_up: 600,
}

const TOKEN_LENGTH = 32
const browserDigest = (chat: Chat, browser: string) => secretsOf(chat).digest(`sign-on browser ${browser}`)

interface Where {
  /** The random value in the browser's cookie; undefined if another program finishes the sign-in. */
  browser: string | undefined
  user_id?: number
}

/** Stores a step, and returns the token with which the browser continues. Only digests of both are stored. */
export async function openStep<K extends StepKind>(
  { chat, db }: SystemTx,
  kind: K,
  data: Data[K],
  { browser, user_id }: Where,
  token: string = newToken(chat),
): Promise<string> {
  const now = seconds(chat.clock)
  await db.deleteFrom('sign_on_step').where('expires_at', '<=', now).execute()
  await db
    .insertInto('sign_on_step')
    .values({
      kind,
      digest: secretsOf(chat).digest(token),
      browser_digest: browser === undefined ? null : browserDigest(chat, browser),
      user_id: user_id ?? null,
      data: secretsOf(chat).seal(JSON.stringify(data)),
      expires_at: now + LASTS[kind],
    })
    .execute()
  return token
}

export const newToken = (chat: Chat): string => randomText(chat.random, TOKEN_LENGTH)

export interface Step<K extends StepKind> {
  user_id: number | null
  data: Data[K]
}

const matching = ({ chat }: Pick<Context, 'chat'>, kind: StepKind, token: string, browser: string | undefined) => ({
  kind,
  digest: secretsOf(chat).digest(token),
  browser_digest: browser === undefined ? null : browserDigest(chat, browser),
})

/** Uses up a step of this browser. Returns undefined if it was used, has expired, or began in another browser. */
export async function takeStep<K extends StepKind>(
  tx: SystemTx,
  kind: K,
  token: string,
  browser: string | undefined,
): Promise<Step<K> | undefined> {
  const { digest, browser_digest } = matching(tx, kind, token, browser)
  const row = await tx.db
    .deleteFrom('sign_on_step')
    .where('digest', '=', digest)
    .where('kind', '=', kind)
    .where((eb) =>
      browser_digest === null ? eb('browser_digest', 'is', null) : eb('browser_digest', '=', browser_digest),
    )
    .returning(['user_id', 'data', 'expires_at'])
    .executeTakeFirst()
  return opened(tx.chat, row)
}

/** Returns a step of this browser without using it, to show its page. */
export async function findStep<K extends StepKind>(
  context: Pick<Context, 'chat' | 'db'>,
  kind: K,
  token: string,
  browser: string,
): Promise<Step<K> | undefined> {
  const { digest, browser_digest } = matching(context, kind, token, browser)
  const row = await context.db
    .selectFrom('sign_on_step')
    .select(['user_id', 'data', 'expires_at'])
    .where('digest', '=', digest)
    .where('kind', '=', kind)
    .where('browser_digest', '=', browser_digest)
    .executeTakeFirst()
  return opened(context.chat, row)
}

function opened<K extends StepKind>(
  chat: Chat,
  row: { user_id: number | null; data: string; expires_at: number } | undefined,
): Step<K> | undefined {
  const data = row && row.expires_at > seconds(chat.clock) ? secretsOf(chat).unseal(row.data) : undefined
  return row && data !== undefined ? { user_id: row.user_id, data: JSON.parse(data) as Data[K] } : undefined
}

/** Returns whether this is the first use of something that works once. */
export async function spendOnce(tx: SystemTx, kind: 'jwt' | 'logout' | 'sign_up', id: string): Promise<boolean> {
  const { digest } = matching(tx, kind, `${kind} ${id}`, undefined)
  const spent = await tx.db.selectFrom('sign_on_step').select('id').where('digest', '=', digest).executeTakeFirst()
  if (spent) return false
  await openStep(tx, kind, {}, { browser: undefined }, `${kind} ${id}`)
  return true
}

/** Returns what is stored of a session at a provider. */
export const providerSession = ({ chat }: Pick<Context, 'chat'>, issuer: string, sid: string): string =>
  secretsOf(chat).digest(`session at ${issuer} ${sid}`)
