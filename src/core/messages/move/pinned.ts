import type { SystemTx } from '../../kernel/context.ts'

interface Pinned {
  readonly message_id: number
  readonly pinned_at: number
}

export const pinsOf = ({ db }: Pick<SystemTx, 'db'>) =>
  db.selectFrom('pinned_message').select(['message_id', 'pinned_at'])

/** Compares pins as lists of them are sorted. */
export const byNewestPin = (a: Pinned, b: Pinned): number => b.pinned_at - a.pinned_at || b.message_id - a.message_id
