import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { AskNamedServer } from '../../../network/provider.ts'
import { readJson } from '../../kernel/base/objects.ts'
import type { ProviderConfig } from './config.ts'
import { type Protocol, ProviderUnreachable, textOf } from './protocol.ts'

const API = 'https://api.github.com'

const token = v.object({ access_token: v.string() })
const account = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.nullish(v.string()),
  login: v.string(),
  avatar_url: v.nullish(v.string()),
})
const addresses = v.array(v.object({ email: v.string(), primary: v.boolean(), verified: v.boolean() }))

/**
 * GitHub has OAuth without OpenID Connect: the person and their verified primary address come from its API, and the
 * account's number, which never changes, identifies them.
 */
export function githubProtocol(config: ProviderConfig, ask: AskNamedServer): Protocol {
  async function request<S extends v.GenericSchema>(
    schema: S,
    url: string,
    form?: Record<string, string>,
    bearer = '',
  ) {
    const { status, bytes } = await ask({
      method: form ? 'POST' : 'GET',
      url,
      headers: {
        accept: 'application/json',
        'user-agent': 'chat-server',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(bearer !== '' && { authorization: `Bearer ${bearer}` }),
      },
      body: form && new URLSearchParams(form).toString(),
      signal: new AbortController().signal,
    })
    const text = Buffer.from(bytes).toString('utf8')
    const checked = v.safeParse(schema, readJson(text))
    if (checked.success) return checked.output as v.InferOutput<S>
    // GitHub reports a wrong code with status 200 and an error in the answer.
    const error = textOf(Object(readJson(text)).error)
    if (error !== undefined) throw new Error(`GitHub answered ${error}`)
    throw new ProviderUnreachable(`${new URL(url).pathname} of GitHub has an unexpected answer, status ${status}`)
  }
  return {
    async begin({ state, verifier, redirect_uri }) {
      const url = new URL(`${config.issuer}/login/oauth/authorize`)
      const params = {
        client_id: config.client_id,
        redirect_uri,
        scope: config.scopes.join(' '),
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
      return url
    },
    async finish(returned, { verifier, redirect_uri }) {
      const { access_token } = await request(token, `${config.issuer}/login/oauth/access_token`, {
        client_id: config.client_id,
        client_secret: config.client_secret!,
        code: returned.searchParams.get('code') ?? '',
        redirect_uri,
        code_verifier: verifier,
      })
      const { id, name, login, avatar_url } = await request(account, `${API}/user`, undefined, access_token)
      const known = await request(addresses, `${API}/user/emails`, undefined, access_token)
      const primary = known.find((address) => address.primary)
      return {
        issuer: config.issuer,
        subject: String(id),
        email: textOf(primary?.email),
        is_verified: primary?.verified === true,
        name: textOf(name) ?? login,
        picture: textOf(avatar_url),
        groups: undefined,
        roles: undefined,
        required: [],
      }
    },
    // GitHub sends none.
    readLogout: async () => undefined,
  }
}
