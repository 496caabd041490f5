import assert from 'node:assert/strict'
import test from 'node:test'
import { ConnectionError, decode, encode } from '../../src/client/request.ts'
import { isChatError } from '../../src/core/kernel/errors.ts'

test('puts parameters into the path, query or form, and files into a multipart form', async () => {
  assert.deepEqual(encode('GET', '/users/:id', { id: 5, a: 'x y', b: [1], c: null }), {
    path: '/users/5?a=x+y&b=%5B1%5D',
    body: undefined,
  })
  assert.deepEqual(encode('GET', '/users', {}), { path: '/users', body: undefined })
  assert.throws(() => encode('GET', '/users/:id', {}), /id is missing/)
  const { body } = encode('POST', '/x', { note: 'n', list: [1] })
  assert.equal(String(body), 'note=n&list=%5B1%5D')
  const named = encode('POST', '/x', { note: 'n', file: new File(['a'], 'a.txt') }, 'filename').body as FormData
  assert.deepEqual([named.get('note'), (named.get('filename') as File).name], ['n', 'a.txt'])
  const unnamed = encode('POST', '/x', { file: new Blob(['a']) }).body as FormData
  assert.equal((unnamed.get('file') as File).name, 'file')
})

const refusalIn = async (response: Response) => {
  try {
    await decode(response)
  } catch (error) {
    assert.ok(isChatError(error))
    return { code: error.code, message: error.message, data: error.data, kind: error.kind }
  }
  return assert.fail('it was not refused')
}
const answer = (status: number, body: string, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers, statusText: 'As the proxy says' })

test('reports everything known about an error from a server or proxy', async () => {
  assert.deepEqual(await decode(answer(200, '{"result":"success","msg":"","id":1}')), {
    result: 'success',
    msg: '',
    id: 1,
  })
  const limited = answer(429, '{"result":"error","msg":"Slow","code":"RATE_LIMIT_HIT"}', { 'retry-after': '3' })
  const { code, message, data } = await refusalIn(limited)
  assert.deepEqual([code, message, data], ['RATE_LIMIT_HIT', 'Slow', { 'retry-after': 3 }])
  await assert.rejects(decode(answer(502, '<html>')), ConnectionError)
  const unnamed = await refusalIn(answer(400, '{"result":"error","msg":"No"}'))
  assert.deepEqual([unnamed.code, unnamed.message], ['BAD_REQUEST', 'No'])
})
