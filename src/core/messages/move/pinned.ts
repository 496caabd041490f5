import type { SystemTx } from '../../kernel/context.ts'

interface Pinned {
  readonly message_id: number
  readonly pinned_at: number
}

export const pinsOf = ({ db }: Pick<SystemTx, 'db'>) =>
  db.selectFrom('pinned_message').select(['message_id', 'pinned_at'])

/** Compares pins by their order in lists. */
export const byNewestPin = (a: Pinned, b: Pinned): number => b.pinned_at - a.pinned_at || b.message_id - a.message_id
