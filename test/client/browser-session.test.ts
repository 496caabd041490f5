import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginBrowserSession, ConnectionError, endBrowserSession, isChatError } from '../../src/client/index.ts'
import { testServer } from '../../src/testing/index.ts'

const code = (wanted: string) => (error: unknown) => isChatError(error) && error.code === wanted

test('signs a browser in by password and reports failures by code', async () => {
  await using server = await testServer()
  const { email, password, api } = server.hamlet
  await beginBrowserSession(server.url, { username: email, password, name: 'Firefox on Linux' })
  const { api_keys } = await api.get('/users/me/api_keys')
  assert.ok(api_keys.some((key: { name: string }) => key.name === 'Firefox on Linux'))
  await assert.rejects(
    beginBrowserSession(server.url, { username: email, password: 'wrong' }),
    code('AUTHENTICATION_FAILED'),
  )
})

test('rejects sign-out without a session and throws ConnectionError without a server', async () => {
  const server = await testServer()
  await assert.rejects(endBrowserSession(server.url), code('UNAUTHORIZED'))
  await server.close()
  await assert.rejects(endBrowserSession(server.url), ConnectionError)
})
