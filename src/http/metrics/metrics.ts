import type { Chat } from '../../core/kernel/chat.ts'
import type { NoteRequest } from './prometheus.ts'

/** Counts of one process, for Prometheus. */
export interface Metrics {
  readonly answered: NoteRequest
  /** All metrics in the text format that Prometheus reads. */
  text(): Promise<string>
  /** Media type of that text. */
  readonly contentType: string
}

/**
 * Begins to count what happens in a chat and in its app, which must be given them.
 *
 * @throws Error when prom-client is not installed
 * @example
 * const metrics = await createMetrics(chat)
 * const app = createApp({ chat, metrics })
 * createServer(metricsListener(metrics)).listen(9464, '127.0.0.1')
 */
export async function createMetrics(chat: Chat): Promise<Metrics> {
  // Loaded when asked for: most servers never are.
  const [prometheus, { addChatMetrics, createRequestMetrics }] = await Promise.all([
    import('prom-client'),
    import('./prometheus.ts'),
  ])
  const registry = new prometheus.Registry()
  // Processor time, memory, garbage collection, open files and the delay of the event loop.
  prometheus.collectDefaultMetrics({ register: registry })
  addChatMetrics(chat, registry)
  return {
    answered: createRequestMetrics(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
