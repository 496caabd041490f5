import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import * as v from 'valibot'
import { text } from '../../src/core/kernel/fields.ts'
import { createApp, nodeListener } from '../../src/http/index.ts'
import { openChat } from '../../src/index.ts'
import { echoing, one } from './targets.ts'

const routes = one(echoing({ a: v.nullish(text) }))
const sentence =
  'The request body was read before the request reached the chat server. Mount the chat server before body parsers such as express.json().'

/** An app whose errors are kept. */
async function logging() {
  const errors: string[] = []
  const nothing = () => {}
  const logger = { info: nothing, warn: nothing, error: (_: object, message: string) => void errors.push(message) }
  const chat = await openChat({ logger })
  return { app: createApp({ chat, routes }), errors, [Symbol.asyncDispose]: () => chat.close() }
}

interface Host {
  port: number
  close(): unknown
}

async function listen(listener: RequestListener): Promise<Host> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

type App = ReturnType<typeof createApp>

/** Hosts that read JSON and forms before the app gets the request. */
const hosts: Readonly<Record<string, (app: App) => Promise<Host>>> = {
  'express.json() and express.urlencoded()': (app) =>
    listen(express().use(express.json(), express.urlencoded(), nodeListener(app))),
  "fastify's parser": async (app) => {
    const site = fastify()
    const listener = nodeListener(app)
    site.all('/*', (request, reply) => {
      reply.hijack()
      listener(request.raw, reply.raw)
    })
    await site.listen({ port: 0, host: '127.0.0.1' })
    return { port: (site.server.address() as AddressInfo).port, close: () => site.close() }
  },
  "a middleware of hono's": (app) => {
    const site = new Hono()
    site.use(async (c, next) => {
      await c.req.text()
      await next()
    })
    site.all('*', (c) => app.fetch(c.req.raw))
    return new Promise((resolve) => {
      const server = serve(
        { fetch: site.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false },
        ({ port }) => resolve({ port, close: () => server.close() }),
      )
    })
  },
  'a middleware that began and paused': (app) => {
    const listener = nodeListener(app)
    return listen((request, response) => {
      if (!Number(request.headers['content-length'])) return listener(request, response)
      request.once('data', () => {
        request.pause()
        listener(request, response)
      })
    })
  },
}

for (const [name, host] of Object.entries(hosts)) {
  test(`answers immediately with the fix when ${name} has read the body`, async () => {
    await using chat = await logging()
    const { port, close } = await host(chat.app)
    try {
      const url = `http://127.0.0.1:${port}/api/v1/x`
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"a":"b"}',
        signal: AbortSignal.timeout(10_000),
      })
      assert.equal(response.status, 500)
      assert.deepEqual(await response.json(), { result: 'error', msg: sentence, code: 'INTERNAL_ERROR' })
      assert.deepEqual(chat.errors, [sentence])
      assert.equal((await fetch(url)).status, 200)
      assert.equal((await fetch(url, { method: 'POST' })).status, 200)
    } finally {
      await close()
    }
  })
}

test("explains the fix when a Request's body has been read or is being read", async () => {
  await using chat = await logging()
  const make = () => new Request('http://localhost/api/v1/x', { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
  const read = make()
  await read.text()
  const locked = make()
  locked.body!.getReader()
  for (const request of [read, locked]) {
    const response = await chat.app.fetch(request)
    assert.deepEqual(
      [response.status, await response.json()],
      [500, { result: 'error', msg: sentence, code: 'INTERNAL_ERROR' }],
    )
  }
  assert.deepEqual(chat.errors, [sentence, sentence])
  assert.equal((await chat.app.fetch(make())).status, 200)
})

test('reads a body that a parser left alone', async () => {
  await using chat = await logging()
  const { port, close } = await listen(express().use(express.json(), nodeListener(chat.app)))
  try {
    const body = new URLSearchParams({ a: 'b' })
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/x`, { method: 'POST', body })
    assert.deepEqual(((await response.json()) as { given: object }).given, { a: 'b' })
  } finally {
    close()
  }
})

test('reads a short body in one step, and keeps the connection after an error', async () => {
  await using chat = await logging()
  const listener = nodeListener(chat.app)
  const listened: unknown[] = []
  const { port, close } = await listen((request, response) => {
    request.on('newListener', (name) => listened.push(name))
    listener(request, response)
  })
  // Node sends such a body together with its head.
  const post = async (body: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', connection: 'keep-alive' }
    const sent = ask({ port, host: '127.0.0.1', path: '/api/v1/x', method: 'POST', headers }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return [response.statusCode, response.headers.connection]
  }
  try {
    assert.deepEqual(await post('a=b'), [200, 'keep-alive'])
    assert.ok(!listened.includes('data'), String(listened))
    assert.deepEqual(await post('a=%zz'), [400, 'keep-alive'])
  } finally {
    close()
  }
})
