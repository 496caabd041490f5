import { type Db, statement } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { defineService } from '../../kernel/service.ts'
import { storeOf } from '../../kernel/store.ts'

/** Readers that have ended: by their queues, their user, or the API keys they read with. */
export interface EndedReaders {
  readonly queue_ids?: readonly string[]
  readonly user_id?: number
  readonly key_ids?: readonly number[]
}

/** What other processes that share the database keep in memory and must drop. */
export type PeerChange = { readonly cached: string } | { readonly ended: EndedReaders }

export interface ForeignChanges {
  readonly changes: readonly PeerChange[]
  /** Whether some changes were missed, so that nothing in memory can be relied on. */
  readonly incomplete: boolean
}

/** The changes of this process, recorded for others, and theirs. */
export interface PeerChanges {
  /** Records a change in the transaction. A failure fails the transaction. */
  record(db: Db, change: PeerChange): void
  /** Reads the changes of other processes since the last call. */
  read(db: Db, newest: number): Promise<ForeignChanges>
}

/** How long a change is kept. A process that was away for longer drops everything. */
const KEEP_SECONDS = 300

const insert = statement((db, p: { origin: string; change: string; created_at: number }) =>
  db.insertInto('peer_change').values({ origin: p.origin, change: p.change, created_at: p.created_at }),
)
const reaches = statement((db, p: { id: number }) =>
  db.selectFrom('peer_change').select('id').where('id', '<=', p.id).orderBy('id').limit(1),
)
const after = statement((db, p: { id: number }) =>
  db.selectFrom('peer_change').select(['id', 'origin', 'change']).where('id', '>', p.id).orderBy('id'),
)

export function createPeerChanges(chat: Pick<Chat, 'clock' | 'random'>, newest: number): PeerChanges {
  const origin = randomText(chat.random, 16)
  let seen = newest
  return {
    record(db, change) {
      const row = { origin, change: JSON.stringify(change), created_at: seconds(chat.clock) }
      // Not awaited, because the connection keeps the order, and a commit after a failed statement fails.
      Promise.resolve(insert(db, row)).catch(() => {})
    },
    async read(db, newest) {
      if (newest <= seen) return { changes: [], incomplete: false }
      const rows = await after(db, { id: seen })
      // The last seen change is gone, so later ones may be gone too.
      const incomplete = seen > 0 && (await reaches(db, { id: seen })).length === 0
      seen = rows.at(-1)?.id ?? newest
      const foreign = rows.filter((row) => row.origin !== origin)
      return { changes: foreign.map((row) => JSON.parse(row.change)), incomplete }
    },
  }
}

export const peerChangesOf = defineService<PeerChanges | undefined>('peer changes')

export async function newestPeerChange(db: Db): Promise<number> {
  const row = await db.selectFrom('peer_change').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

export async function prunePeerChanges({ chat, db }: SystemTx): Promise<void> {
  if (!storeOf(chat).peers) return
  await db
    .deleteFrom('peer_change')
    .where('created_at', '<', seconds(chat.clock) - KEEP_SECONDS)
    // The newest change tells how far others have come.
    .where('id', '<', await newestPeerChange(db))
    .execute()
}
