import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { busOf } from '../../core/events/log/bus.ts'
import type { Chat } from '../../core/kernel/chat.ts'
import { storeOf } from '../../core/kernel/store.ts'
import { mailboxHealth, mailFailure } from '../../core/mail/health.ts'
import { methods } from '../route-types.ts'

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** Adds the metrics of a chat. All but the commits are computed when they are read. */
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
  gauge('chat_waiting_polls', 'Long polls and streams that wait for an event', () => busOf(chat).waiting())
  gauge('chat_event_queues', 'Event queues', async () => {
    const { count } = await store.db
      .selectFrom('queue')
      .select((of) => of.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  })
  gauge('chat_mail_failing', 'Whether the mail server rejects everything, so that email waits', async () =>
    Number((await mailFailure(store.db)) !== undefined),
  )
  gauge('chat_mailbox_failing', 'Whether the mailbox that email comes in from cannot be read', async () =>
    Number((await mailboxHealth(store.db)).failure !== null),
  )
  gauge('chat_database_bytes', 'Size of the database file', async () => (await store.sizes()).database_bytes)
  gauge('chat_database_log_bytes', 'Size of the write-ahead log', async () => (await store.sizes()).log_bytes)
}

/** In seconds. The last ones are for polls, which wait up to a minute. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

const METHODS: ReadonlySet<string> = new Set([...methods, 'HEAD', 'OPTIONS'])

/** Records an answered request. `route` is the pattern of its path, so that there are few different ones. */
export type NoteRequest = (method: string, route: string | undefined, status: number, seconds: number) => void

/** Counts requests and their durations by method and route. Clients can't choose the text of either. */
export function createRequestMetrics(registry: Registry): NoteRequest {
  const registers = [registry]
  const requests = new Counter({
    name: 'chat_http_requests_total',
    help: 'Requests handled',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'chat_http_request_duration_seconds',
    help: 'Time from receiving request headers to the response, including the wait of long polls',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  })
  return (givenMethod, path, status, seconds) => {
    const method = METHODS.has(givenMethod) ? givenMethod : 'other'
    const route = path === undefined || path === '/**' ? 'none' : path
    requests.inc({ method, route, status })
    durations.observe({ method, route }, seconds)
  }
}
