import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { ChatError } from '../../kernel/errors.ts'
import { notifyOfCodes } from '../../messages/notices/guessed-passwords.ts'
import { knownDevice } from './known-device.ts'

/** Wrong codes in a row after which each further one must wait, twice as long each time. */
const FREE_TRIES = 5
const FIRST_WAIT_SECONDS = 30
const LONGEST_WAIT_SECONDS = 3600
const DAY = 86_400

interface Count {
  wrong_codes: number
  wrong_at: number
}

/** The wrong codes that count with the one of a request. */
export interface WrongCodes {
  /** @throws ChatError RATE_LIMIT_HIT after too many */
  requireTry(): void
  /** Counts a code. */
  count(isRight: boolean): Promise<void>
}

/**
 * Returns the wrong codes of the device that signs in, if it has signed in before, and otherwise the wrong codes of
 * all unknown devices together. So knowing the password gives only a few tries, from all addresses, and these lock nobody out of
 * the account's own devices.
 *
 * @param device - what the session will be called
 */
export async function wrongCodesOf(
  tx: SystemTx,
  user_id: number,
  account: Count,
  device: string | undefined,
): Promise<WrongCodes> {
  const { chat, db } = tx
  const now = seconds(chat.clock)
  const known = device === undefined ? undefined : await knownDevice(tx, user_id, device)
  const { wrong_codes, wrong_at } = known ?? account
  return {
    requireTry() {
      const doubled = FIRST_WAIT_SECONDS * 2 ** Math.min(20, wrong_codes - FREE_TRIES)
      const wait = wrong_at + Math.min(LONGEST_WAIT_SECONDS, doubled) - now
      if (wrong_codes >= FREE_TRIES && wait > 0)
        throw new ChatError('RATE_LIMIT_HIT', 'Too many wrong codes. Try again later', { 'retry-after': wait })
    },
    async count(isRight) {
      const values = isRight ? { wrong_codes: 0 } : { wrong_codes: wrong_codes + 1, wrong_at: now }
      if (known) await db.updateTable('known_device').set(values).where('id', '=', known.id).execute()
      else await db.updateTable('totp').set(values).where('user_id', '=', user_id).execute()
      if (isRight || known || !isNews(wrong_codes, wrong_at, now)) return
      tx.afterCommit(() => notify(chat, user_id, wrong_codes + 1))
    },
  }
}

/** Whether a wrong code after so many is the first with too many, or the first of a day. */
const isNews = (before: number, last_at: number, now: number): boolean =>
  before + 1 === FREE_TRIES || (before + 1 > FREE_TRIES && Math.floor(last_at / DAY) < Math.floor(now / DAY))

function notify(chat: Chat, user_id: number, count: number): void {
  notifyOfCodes(chat, user_id, count).catch((error) =>
    chat.options.logger.error({ err: error }, 'a notice about guessed codes could not be sent'),
  )
}
