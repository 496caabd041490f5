import type { Chat } from '../../core/kernel/chat.ts'
import type { NoteRequest } from './prometheus.ts'

/** The counters of one process, for Prometheus. */
export interface Metrics {
  readonly answered: NoteRequest
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>
  /** The media type of the text. */
  readonly contentType: string
}

/**
 * Starts to count what happens in a chat and its app. Pass the result to both.
 *
 * @throws Error if prom-client isn't installed
 * @example
 * const metrics = await createMetrics(chat)
 * const app = createApp({ chat, metrics })
 * createServer(metricsListener(metrics)).listen(9464, '127.0.0.1')
 */
export async function createMetrics(chat: Chat): Promise<Metrics> {
  // Loaded on demand because most servers never need it.
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
