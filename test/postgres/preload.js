// Loaded before the tests; threads that read snapshots load it too, and have nothing to do with them.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) await import('./use-throwaways.ts')
