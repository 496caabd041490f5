import test from 'node:test'
import * as v from 'valibot'
import { createOrganization } from '../../src/core/accounts/create-organization.ts'
import { action, publicAction } from '../../src/core/kernel/action.ts'
import type { Routes } from '../../src/http/index.ts'
import { type EmptyServer, emptyServer } from '../../src/testing/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON came.
export type Json = any

export interface Reply {
  status: number
  headers: Headers
  body: Json
}

export interface Target {
  server: EmptyServer
  /** Path below /api/v1, unless it begins with two slashes. */
  ask(path: string, init?: RequestInit): Promise<Reply>
}

type Options = Parameters<typeof emptyServer>[0]

/** Runs a test once over a socket and once in process. */
export function onBothTargets(title: string, options: Options, work: (target: Target) => Promise<void>): void {
  for (const way of ['socket', 'in process'] as const) {
    test(`${title} (${way})`, async () => {
      await using server = await emptyServer(options)
      const ask: Target['ask'] = async (path, init) => {
        const where = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`
        const response = way === 'socket' ? await fetch(server.url + where, init) : await server.fetch(where, init)
        const text = await response.text()
        return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
      }
      await work({ server, ask })
    })
  }
}

/** A public action that returns its parameters. */
export const echoing = (entries: v.ObjectEntries) =>
  publicAction(
    { name: 'echo', summary: 'Echo', params: v.object(entries), result: v.any() },
    async ({ client, origin }, params) => ({
      given: { ...params },
      client,
      origin,
    }),
  )

export const failing = (error: unknown) =>
  publicAction({ name: 'failing', summary: 'Fail', params: v.object({}), result: v.any() }, async () => {
    throw error
  })

/** An action for signed-in users that returns their id. */
export const whoAmI = action(
  { name: 'whoAmI', summary: 'Who am I', params: v.object({}), result: v.any() },
  async ({ user, client }) => ({
    user_id: user.id,
    client,
  }),
)

export const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

/** An owner to sign in as. */
export async function ownerOf(server: EmptyServer) {
  const owner = await createOrganization(server.chat, {
    org: 'Test',
    owner_email: 'Owner@Example.com',
    owner_name: 'Owner',
    owner_password: 'correct horse',
  })
  return { ...owner, authorization: basic(owner.email, owner.api_key) }
}

export const form = (params: Record<string, string> | [string, string][]) => new URLSearchParams(params)

export const one = (action: NonNullable<Routes[string]['GET']>): Routes => ({
  '/x': { GET: action, POST: action, PATCH: action, DELETE: action },
})
