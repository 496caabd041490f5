import { statement } from '../../storage/index.ts'
import { seconds } from './base/clock.ts'
import { IDEMPOTENCY_KEY_SECONDS } from './base/limits.ts'
import type { Caller, Tx } from './context.ts'
import { secretDigest } from './digest.ts'
import { badRequest, ChatError } from './errors.ts'

interface Request {
  key: string
  digest: string
}

/** Thrown inside the write if the same request completed after the look-up before it. */
class Repeated extends Error {
  readonly answer: object
  constructor(answer: object) {
    super('the request was already carried out')
    this.answer = answer
  }
}

/**
 * How an action is repeated safely.
 *
 * - `one write`: it has one write, and returns its result. Key and response are stored in the same transaction.
 * - `several writes`: it takes more than one, and repeating it changes nothing further. The response is stored after
 *   the last.
 * - `own`: it repeats its write by the key itself.
 */
export type KeyRule = 'one write' | 'several writes' | 'own'

/** What a write returns if its changes stay, although its request is answered with an error. */
export interface AnsweredByError {
  $error: Pick<ChatError, 'code' | 'message' | 'data'>
}

/** Returns the answer of a write whose changes stay, and whose request gets this error. */
export const answeredBy = ({ code, message, data }: ChatError): AnsweredByError => ({ $error: { code, message, data } })

/** Returns an answer, or throws the error in its place. */
export function orError<R extends object>(answer: R | AnsweredByError): R {
  if (!('$error' in answer)) return answer as R
  const { code, message, data } = answer.$error
  throw new ChatError(code, message, data)
}

/**
 * Runs a request once, however often it is repeated with the same `idempotencyKey`. Repetitions get the first
 * response.
 *
 * @throws ChatError IDEMPOTENCY_KEY_REUSED if the key was sent with another request within 24 hours
 */
export async function once<R extends object>(
  caller: Caller,
  { name, rule }: { name: string; rule: KeyRule },
  params: unknown,
  run: (caller: Caller) => Promise<R>,
): Promise<R> {
  const request = { key: checkedKey(caller.idempotencyKey ?? ''), digest: secretDigest(caller.chat, [name, params]) }
  const known = await answerTo(caller, request)
  if (known) return orError(known as R)
  if (rule === 'several writes') {
    const result = await run({ ...caller, idempotencyKey: undefined })
    return caller.write(async (tx) => {
      const existing = await answerTo(tx, request)
      if (!existing) await remember(tx, request, result)
      return (existing as R | undefined) ?? result
    })
  }
  let written: unknown
  const keyed: Caller = {
    ...caller,
    idempotencyKey: undefined,
    write: (work) =>
      caller.write(async (tx) => {
        const existing = await answerTo(tx, request)
        if (existing) throw new Repeated(existing)
        const value = await work(tx)
        await remember(tx, request, value)
        written = value
        return value
      }),
  }
  try {
    const result = await run(keyed)
    if (result !== written)
      throw new Error(`${name} accepts an Idempotency-Key, so it must return the result of its write`)
    return result
  } catch (error) {
    if (error instanceof Repeated) return orError(error.answer as R)
    throw error
  }
}

function checkedKey(key: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw badRequest('Idempotency-Key must have 1 to 255 printable ASCII characters')
  return key
}

const byKey = statement((db, p: { user_id: number; key: string; since: number }) =>
  db
    .selectFrom('idempotency_key')
    .select(['digest', 'answer'])
    .where('user_id', '=', p.user_id)
    .where('key', '=', p.key)
    .where('created_at', '>', p.since),
)

async function answerTo({ chat, db, user }: Caller, { key, digest }: Request): Promise<object | undefined> {
  const since = seconds(chat.clock) - IDEMPOTENCY_KEY_SECONDS
  const [row] = await byKey(db, { user_id: user.id, key, since })
  if (row && row.digest !== digest) {
    throw new ChatError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was already used for a different request in the last 24 hours. Use a new key.',
    )
  }
  return row && JSON.parse(row.answer)
}

async function remember(tx: Tx, { key, digest }: Request, value: unknown): Promise<void> {
  const answer = { digest, answer: JSON.stringify(value), created_at: seconds(tx.chat.clock) }
  await tx.db
    .insertInto('idempotency_key')
    .values({ user_id: tx.user.id, key, ...answer })
    // Replaces a row older than a day that the sweep has not removed yet.
    .onConflict((oc) => oc.columns(['user_id', 'key']).doUpdateSet(answer))
    .execute()
}
