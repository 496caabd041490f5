import assert from 'node:assert/strict'
import type { Api, Call, Person } from '../../../src/testing/index.ts'

/** The person's API, which throws if a request fails. */
export function strict({ api }: Person): Api {
  const checked =
    (method: 'get' | 'post' | 'put' | 'patch' | 'delete'): Call =>
    async (path, params) => {
      const answer = await api[method](path, params)
      assert.equal(answer.status, 200, `${method} ${path}: ${answer.msg}`)
      return answer
    }
  const [get, post, put, patch] = [checked('get'), checked('post'), checked('put'), checked('patch')]
  return { get, post, put, patch, delete: checked('delete'), upload: api.upload }
}
