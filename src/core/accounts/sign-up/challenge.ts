import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import { isSameSecret } from '../../kernel/base/same-secret.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Context } from '../../kernel/context.ts'
import { secretsOf } from '../../kernel/secrets.ts'

/**
 * Proof of work before an email is sent to a stranger's address: the client finds the number
 * that belongs to a hash. Nothing is stored until a solution is used.
 */
export const challengeShape = v.strictObject({
  algorithm: v.literal('SHA-256'),
  /** The hash of `salt` and the number, in hexadecimal. */
  challenge: v.string(),
  salt: v.string(),
  /** The number is from 0 to this one. */
  max: v.pipe(v.number(), v.integer()),
  signature: v.string(),
})
export type Challenge = v.InferOutput<typeof challengeShape>

export const solutionShape = v.object({
  ...challengeShape.entries,
  number: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type Solution = v.InferOutput<typeof solutionShape>

/** How long a challenge is valid, in seconds. */
export const CHALLENGE_SECONDS = 300
/** About half a second of work on a desktop, and two on a phone. */
const USUAL_MAX = 200_000
/** After this many challenges from one address within an hour, the work doubles, up to 16 times the usual. */
const FEW = 5
const HOUR = 3600
const MAX_ADDRESSES = 10_000

/** How many challenges each address has asked for, and since when. Only in memory: a restart forgets it. */
const asked = new WeakMap<Chat, Map<string, { count: number; since: number }>>()

export function createChallenge({ chat, address }: Pick<Context, 'chat' | 'address'>): Challenge {
  const now = seconds(chat.clock)
  const max = USUAL_MAX * 2 ** Math.min(4, Math.floor(countOf(chat, rangeOf(address ?? ''), now) / FEW))
  const salt = `${randomText(chat.random, 24)}.${now + CHALLENGE_SECONDS}`
  const number = Buffer.from(chat.random.bytes(6)).readUIntBE(0, 6) % (max + 1)
  const challenge = hashOf(salt, number).toString('hex')
  const unsigned = { algorithm: 'SHA-256', challenge, salt, max } as const
  return { ...unsigned, signature: signatureOf(chat, unsigned) }
}

/** Returns whether this server set the challenge, and the solution is right and in time. Reuse is checked elsewhere. */
export function isSolved({ chat }: Pick<Context, 'chat'>, { number, signature, ...unsigned }: Solution): boolean {
  const expires = Number(/\.(\d{1,12})$/.exec(unsigned.salt)?.[1] ?? 0)
  return (
    isSameSecret(signature, signatureOf(chat, unsigned)) &&
    expires > seconds(chat.clock) &&
    number <= unsigned.max &&
    hashOf(unsigned.salt, number).toString('hex') === unsigned.challenge
  )
}

const hashOf = (salt: string, number: number): Buffer => createHash('sha256').update(`${salt}${number}`).digest()

const signatureOf = (chat: Chat, { challenge, salt, max }: Omit<Challenge, 'signature'>): string =>
  secretsOf(chat).digest(`sign-up challenge ${challenge} ${salt} ${max}`)

/** An IPv4 address, or the first half of an IPv6 address, which one customer has. */
const rangeOf = (address: string): string => (address.includes('.') ? address : address.split(':', 4).join(':'))

function countOf(chat: Chat, range: string, now: number): number {
  const known = asked.get(chat) ?? new Map<string, { count: number; since: number }>()
  asked.set(chat, known)
  const before = known.get(range)
  const isRecent = before !== undefined && before.since > now - HOUR
  if (!isRecent && known.size >= MAX_ADDRESSES) known.clear()
  known.set(range, { count: (isRecent ? before.count : 0) + 1, since: isRecent ? before.since : now })
  return isRecent ? before.count : 0
}
