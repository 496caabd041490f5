import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { busOf } from '../../core/events/log/bus.ts'
import type { Chat } from '../../core/kernel/chat.ts'
import { storeOf } from '../../core/kernel/store.ts'

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** What happens in the chat. All but the commits is looked up when somebody asks. */
export function addChatMetrics(chat: Chat, registry: Registry): void {
  const store = storeOf(chat)
  const registers = [registry]

  const commits = new Counter({ name: 'chat_commits_total', help: 'Commits to the database', registers })
  const groups = new Histogram({
    name: 'chat_commit_group_size',
    help: 'Writes that shared a commit',
    buckets: GROUP_SIZES,
    registers,
  })
  store.observeCommits((writes) => {
    commits.inc()
    groups.observe(writes)
  })

  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  gauge('chat_waiting_polls', 'Readers that wait for an event', () => busOf(chat).waiting())
  gauge('chat_event_queues', 'Event queues', async () => {
    const { count } = await store.db
      .selectFrom('queue')
      .select((of) => of.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  })
  gauge('chat_database_bytes', 'Size of the database file', async () => (await store.sizes()).database_bytes)
  gauge('chat_database_log_bytes', 'Size of the write-ahead log beside it', async () => (await store.sizes()).log_bytes)
}
