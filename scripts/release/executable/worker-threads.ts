import { getAsset } from 'node:sea'
import { Worker as WorkerOfNode, type WorkerOptions } from 'node:worker_threads'
import { WORKER_ASSETS } from './assets.ts'

export * from 'node:worker_threads'

/** A thread that runs one of the executable's own `*-worker.js` files, which are assets and not files beside it. */
export class Worker extends WorkerOfNode {
  constructor(file: URL, options?: WorkerOptions) {
    const name = file.pathname.slice(file.pathname.lastIndexOf('/') + 1)
    super(getAsset(WORKER_ASSETS + name, 'utf8'), { ...options, eval: true })
  }
}
