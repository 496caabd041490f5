import type { Context } from '../../kernel/context.ts'
import { servedPath } from '../../kernel/public-url.ts'
import type { ServerSettings } from '../../shapes/server-settings.ts'
import type { ProviderConfig } from './config.ts'
import type { ProxySignOn } from './proxy.ts'

/** Path of the page that begins a sign-in. Apps replace its query, so the provider is in the path. */
export const START_PATH = '/accounts/login/social/oidc'
/** Path of the page that an authenticating proxy must protect, which clients open with a slash at its end. */
export const PROXY_PATH = '/accounts/login/sso'
export const REGISTER_PATH = '/accounts/register/social/oidc'

/** Returns how clients show a provider. */
export function externalMethod(
  { chat }: Context,
  { name, type, display_name }: ProviderConfig,
): ServerSettings['external_authentication_methods'][number] {
  return {
    name: type === 'github' ? name : `oidc:${name}`,
    display_name,
    display_icon: null,
    login_url: servedPath(chat, `${START_PATH}/${name}`),
    signup_url: servedPath(chat, `${REGISTER_PATH}/${name}`),
  }
}

/** Returns how clients show the sign-in through a proxy. */
export function proxyMethod(
  { chat }: Context,
  { rules }: ProxySignOn,
): ServerSettings['external_authentication_methods'][number] {
  const login_url = servedPath(chat, `${PROXY_PATH}/`)
  return {
    name: 'remoteuser',
    display_name: rules.display_name,
    display_icon: null,
    login_url,
    signup_url: login_url,
  }
}
