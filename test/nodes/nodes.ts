import { openFrom } from '../../src/core/open-chat.ts'
import { actAs, type Caller, type Chat } from '../../src/index.ts'
import { chatOptions } from '../../src/testing/template.ts'
import { type World, type WorldSeed, world } from '../../src/testing/world.ts'
import { throwawaysOn } from '../postgres/throwaway.ts'

const url = process.env.DATABASE_URL

/** Nodes need a database server: `npm run test:postgres` brings one. */
export const needsServer = { skip: url ? false : 'needs PostgreSQL: npm run test:postgres' }

const throwaways = url ? throwawaysOn(url) : undefined

/** An empty database of the server, for as long as it is needed. */
export const borrowDatabase = () => throwaways!.borrow()

export interface Cluster extends AsyncDisposable {
  readonly w: World
  /** The first is the world's own. */
  readonly nodes: readonly Chat[]
  /** The address of the database. */
  readonly url: string
  /** Another node, which has just started; returns its place. */
  add(): Promise<number>
  /** A person of the world, at a node. */
  at(node: number, name: string): Promise<Caller>
}

/** Several nodes on one database. */
export async function cluster(size: number, seed: WorldSeed = {}): Promise<Cluster> {
  const database = await throwaways!.borrow()
  const w = await world({ ...seed, chat: { ...seed.chat, db: database.url } })
  const nodes: Chat[] = [w.chat]
  const add = async () =>
    nodes.push(await openFrom(chatOptions({ ...seed.chat, db: database.url, clock: w.clock }))) - 1
  for (let i = 1; i < size; i++) await add()
  return {
    w: w as World,
    nodes,
    url: database.url,
    add,
    at: (node, name) => actAs(nodes[node]!, { email: `${name}@example.com` }),
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
