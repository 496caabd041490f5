import type { Selectable } from 'kysely'
import type { PasskeyChallengeTable } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { secretsOf } from '../../kernel/secrets.ts'

/** How long a person may take with their authenticator. */
export const CHALLENGE_SECONDS = 120
const CHALLENGE_BYTES = 32
/** Challenges of one account that wait at the same time. */
const MAX_WAITING = 20

type Challenge = Selectable<PasskeyChallengeTable>
type Purpose = Challenge['purpose']

interface NewChallenge {
  purpose: Purpose
  user_id?: number
  /** What recognizes the browser that asks. Only this browser may answer. */
  browser: string
  user_handle?: string
}

/** Returns a new challenge in base64url. */
export async function newChallenge(tx: SystemTx, { purpose, user_id, browser, user_handle }: NewChallenge) {
  const { chat, db } = tx
  const now = seconds(chat.clock)
  await db.deleteFrom('passkey_challenge').where('expires_at', '<=', now).execute()
  if (user_id !== undefined) await removeOldest(tx, user_id)
  const challenge = Buffer.from(chat.random.bytes(CHALLENGE_BYTES)).toString('base64url')
  await db
    .insertInto('passkey_challenge')
    .values({
      user_id: user_id ?? null,
      digest: digestOf(tx, challenge),
      purpose,
      browser_digest: browserDigest(tx, browser),
      user_handle: user_handle ?? null,
      expires_at: now + CHALLENGE_SECONDS,
    })
    .execute()
  return challenge
}

async function removeOldest({ db }: SystemTx, user_id: number): Promise<void> {
  const old = await db
    .selectFrom('passkey_challenge')
    .select('id')
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .offset(MAX_WAITING - 1)
    .limit(1)
    .executeTakeFirst()
  if (!old) return
  await db.deleteFrom('passkey_challenge').where('user_id', '=', user_id).where('id', '<=', old.id).execute()
}

/**
 * Takes a challenge, which nobody can answer again, whatever becomes of the answer. Returns undefined if this browser was never
 * given it for this purpose, or too long ago.
 */
export async function takeChallenge(
  tx: SystemTx,
  challenge: string,
  purpose: Purpose,
  browser: string,
): Promise<Challenge | undefined> {
  const taken = await tx.db
    .deleteFrom('passkey_challenge')
    .where('digest', '=', digestOf(tx, challenge))
    .returningAll()
    .executeTakeFirst()
  if (!taken || taken.expires_at <= seconds(tx.chat.clock)) return undefined
  return taken.purpose === purpose && taken.browser_digest === browserDigest(tx, browser) ? taken : undefined
}

const digestOf = ({ chat }: SystemTx, challenge: string) => secretsOf(chat).digest(`passkey challenge ${challenge}`)
const browserDigest = ({ chat }: SystemTx, browser: string) => secretsOf(chat).digest(`passkey browser ${browser}`)
